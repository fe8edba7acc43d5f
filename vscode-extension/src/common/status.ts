/** The status bar item: what is running, from where, what it found, and whether it is busy. */
import {
  DiagnosticSeverity,
  languages,
  MarkdownString,
  StatusBarAlignment,
  ThemeColor,
  window,
  workspace,
  type Disposable,
  type StatusBarItem,
} from "vscode";
import { describeStatus } from "../core/statusText";
import { nameOf, type ServerManager, type State } from "./serverManager";

export const SOURCE = "reduction-lint";

export class Status implements Disposable {
  private readonly item: StatusBarItem;
  private readonly disposables: { dispose(): unknown }[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly manager: ServerManager) {
    this.item = window.createStatusBarItem("reductionLint.status", StatusBarAlignment.Right, 90);
    this.item.name = "reduction-lint";
    this.item.command = "reductionLint.showMenu";
    this.disposables = [
      this.item,
      manager.onDidChange(() => this.update()),
      languages.onDidChangeDiagnostics(() => this.soon()),
      window.onDidChangeActiveTextEditor(() => this.update()),
      window.onDidChangeActiveNotebookEditor(() => this.update()),
    ];
    this.update();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** Diagnostics come in bursts. */
  private soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.update();
    }, 200);
  }

  private update(): void {
    const state = this.manager.stateFor();
    if (!state) {
      this.item.hide();
      return;
    }
    const shown = describeStatus({
      resolution: state.resolution,
      failed: state.failure !== undefined,
      busy: state.client?.busy ?? false,
      folder: nameOf(state.place),
      ...counts(state),
    });
    this.item.text = shown.text;
    this.item.tooltip = new MarkdownString(shown.tooltip, true);
    this.item.backgroundColor = shown.warn ? new ThemeColor("statusBarItem.warningBackground") : undefined;
    this.item.show();
  }
}

function counts(state: State): { errors: number; others: number } {
  const folder = state.place.folder;
  let errors = 0;
  let others = 0;
  for (const [uri, diagnostics] of languages.getDiagnostics()) {
    if (folder && workspace.getWorkspaceFolder(uri) !== folder) continue;
    for (const diagnostic of diagnostics) {
      if (diagnostic.source !== SOURCE) continue;
      if (diagnostic.severity === DiagnosticSeverity.Error) errors++;
      else others++;
    }
  }
  return { errors, others };
}
