/** The commands of the extension. */
import { commands, env, extensions, version, window, workspace, type Disposable, type ExtensionContext } from "vscode";
import type { Runner } from "../core/process";
import { field, text } from "../core/report";
import type { Documents } from "../views/documents";
import { PathView } from "../views/path";
import type { Node, ReductionsView } from "../views/reductions";
import { showReport } from "../views/report";
import { RuleView } from "../views/rule";
import type { Channels } from "./client";
import { messageOf, ToolError } from "./errors";
import type { Installer } from "./install";
import { reveal } from "./places";
import { nameOf, type ServerManager, type State } from "./serverManager";
import { SECTION, serverSettings, settingsOf } from "./settings";
import { runTool, settingsArguments } from "./tool";

export interface Parts {
  context: ExtensionContext;
  manager: ServerManager;
  installer: Installer;
  reductions: ReductionsView;
  documents: Documents;
  channels: Channels;
  run: Runner;
}

/** Registers all commands; their errors become one message each. */
export function registerCommands(parts: Parts): Disposable[] {
  const { manager, installer, reductions, documents, channels, run } = parts;
  const path = new PathView(manager, documents);
  const rule = new RuleView(manager, documents, run);
  const table: Record<string, (argument?: unknown) => unknown> = {
    restart: () => manager.refresh(true),
    fixAll: () => fixAll(manager),
    explain: (argument) => rule.show(argument),
    showTrace: (argument) => path.show(argument),
    peekTrace: (argument) => path.peek(argument),
    showReport: () => showReport(manager.stateFor(), run),
    inventory: (argument) => reductions.show(argument),
    addToBaseline: () => addToBaseline(parts),
    showLog: () => channels.log.show(),
    debugInfo: () => copyDebugInformation(parts),
    install: () => installer.installPrivately(manager.stateFor()),
    installHere: () => installer.installHere(manager.stateFor()),
    choosePath: () => installer.choosePath(manager.stateFor()),
    refresh: () => reductions.refresh(),
    filter: () => reductions.chooseFilter(),
    clearFilter: () => reductions.clearFilter(),
    openSite: (node) => openSite(node as Node),
    showMenu: () => showMenu(parts),
  };
  return Object.entries(table).map(([name, handler]) =>
    commands.registerCommand(`${SECTION}.${name}`, async (argument?: unknown) => {
      try {
        await handler(argument);
      } catch (error) {
        tellError(error, channels);
      }
    }),
  );
}

/** One line for the user, all of it for the log. */
export function tellError(error: unknown, channels: Channels): void {
  channels.log.error(error instanceof Error && !(error instanceof ToolError) ? error : String(error));
  void window.showErrorMessage(messageOf(error), "Show log").then((chosen) => {
    if (chosen) channels.log.show();
  });
}

async function fixAll(manager: ServerManager): Promise<void> {
  const document = window.activeTextEditor?.document;
  if (document?.languageId !== "python") throw new ToolError("Open a Python file first.");
  const answer = await manager.clientFor(document.uri).execute("reductionLint.fixAll", { uri: document.uri.toString() });
  if (field(answer, "applied") !== true) {
    void window.showInformationMessage(`reduction-lint changed nothing: ${text(answer, "reason") || "no answer"}.`);
  }
}

async function openSite(node: Node): Promise<void> {
  if (node.kind === "site") await reveal(node.site);
}

async function addToBaseline({ manager, run }: Parts): Promise<void> {
  const state = manager.stateFor();
  const name = state ? nameOf(state.place) : "";
  const yes = "Add all";
  const detail = "They are then no longer shown; new ones are. The baseline is a file beside the settings, made to be committed.";
  const chosen = await window.showWarningMessage(`Take all present findings of "${name}" into the baseline?`, { modal: true, detail }, yes);
  if (chosen !== yes) return;
  await runTool(state, ["baseline", ...(state ? settingsArguments(state) : []), "."], run);
  await manager.refresh(true);
}

async function showMenu({ manager }: Parts): Promise<void> {
  const state = manager.stateFor();
  const missing = state?.resolution.kind === "missing" || state?.resolution.kind === "outdated";
  const entries: [string, string][] = missing
    ? [
        ["$(cloud-download) Install privately", "install"],
        ["$(package) Install into the selected environment", "installHere"],
        ["$(file-binary) Choose a path", "choosePath"],
      ]
    : [
        ["$(list-tree) Show the reductions of the project", "inventory"],
        ["$(graph) Show the report", "showReport"],
        ["$(question) Explain a rule", "explain"],
      ];
  entries.push(["$(refresh) Restart", "restart"], ["$(output) Show log", "showLog"]);
  const items = entries.map(([label, command]) => ({ label, command }));
  const picked = await window.showQuickPick(items, { title: "reduction-lint" });
  if (picked) await commands.executeCommand(`${SECTION}.${picked.command}`);
}

async function copyDebugInformation({ context, manager }: Parts): Promise<void> {
  const python = ["ms-python.vscode-python-envs", "ms-python.python"].map((id) => {
    const found = extensions.getExtension<unknown>(id);
    return [id, (found?.packageJSON as { version?: string } | undefined)?.version ?? "not installed"];
  });
  const information = {
    extension: (context.extension.packageJSON as { version: string }).version,
    vscode: version,
    remote: env.remoteName ?? null,
    platform: `${process.platform} ${process.arch}`,
    trusted: workspace.isTrusted,
    pythonExtensions: Object.fromEntries(python) as Record<string, string>,
    folders: await Promise.all(manager.all.map(aboutFolder)),
  };
  await env.clipboard.writeText(JSON.stringify(information, null, 2) + "\n");
  void window.showInformationMessage("The debug information is in the clipboard. Look it over before you share it: it names paths.");
}


async function aboutFolder({ place, resolution, client, failure }: State): Promise<object> {
  const answer = client && (await client.execute("reductionLint.debugInfo").catch(String));
  return {
    name: nameOf(place),
    settings: { ...settingsOf(place.folder), ...serverSettings(place.folder) },
    resolution,
    failure: failure === undefined ? null : messageOf(failure),
    server: field(answer, "info") ?? answer ?? null,
  };
}
