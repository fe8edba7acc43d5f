/** "Explain rule": what a rule means, with examples; works offline. */
import { window } from "vscode";
import type { Runner } from "../core/process";
import { list, readPage, text } from "../core/report";
import type { ServerManager } from "../common/serverManager";
import { ToolError } from "../common/errors";
import { runTool } from "../common/tool";
import type { Documents } from "./documents";
import { nearest } from "./path";

export class RuleView {
  constructor(
    private readonly manager: ServerManager,
    private readonly documents: Documents,
    private readonly run: Runner,
  ) {}

  /** Explains a code: the one given, that of the finding at the cursor, or one that the user picks. */
  async show(argument: unknown): Promise<void> {
    const code = typeof argument === "string" ? argument : (codeAtCursor() ?? (await this.pick()));
    if (!code) return;
    const page = readPage(await this.manager.clientFor().execute("reductionLint.explain", code));
    if (!page) throw new ToolError(`reduction-lint has nothing to say about ${code}.`);
    await this.documents.showMarkdown(code, page.markdown);
  }

  private async pick(): Promise<string | undefined> {
    const output = await runTool(this.manager.stateFor(), ["rule", "--output-format", "json"], this.run);
    const items = list(JSON.parse(output)).map((rule) => ({
      label: text(rule, "code"),
      description: text(rule, "name"),
      detail: text(rule, "summary"),
    }));
    const options = { title: "Explain a rule", matchOnDescription: true, matchOnDetail: true };
    return (await window.showQuickPick(items, options))?.label;
  }
}

function codeAtCursor(): string | undefined {
  const editor = window.activeTextEditor;
  const code = editor && nearest(editor.document.uri, editor.selection.active.line)?.code;
  return typeof code === "object" ? String(code.value) : code?.toString();
}
