/** Where VS Code starts and ends the extension: the parts are made and wired here. */
import { commands, window, workspace, type ExtensionContext } from "vscode";
import type { Channels } from "./common/client";
import { registerCommands, tellError } from "./common/commands";
import { Installer } from "./common/install";
import { pythonExtensions } from "./common/python";
import { ServerManager } from "./common/serverManager";
import { SECTION } from "./common/settings";
import { Status } from "./common/status";
import { machine } from "./core/machine";
import { run } from "./core/process";
import { Documents } from "./views/documents";
import { ReductionsView } from "./views/reductions";

/** Settings that decide which server runs; a change of another one is the running server's matter. */
const DECISIVE = ["enable", "path", "interpreter"];

let manager: ServerManager | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const channels: Channels = {
    log: window.createOutputChannel("reduction-lint", { log: true }),
    trace: window.createOutputChannel("reduction-lint trace", { log: true }),
  };
  const storage = context.globalStorageUri.fsPath;
  const python = pythonExtensions(() => void made.refresh());
  const made = new ServerManager(machine(run, storage), () => python, channels);
  manager = made;
  const installer = new Installer(made, storage, run, channels.log);
  const documents = new Documents();
  const reductions = new ReductionsView(made, (error) => tellError(error, channels));
  const parts = { context, manager: made, installer, reductions, documents, channels, run };
  context.subscriptions.push(
    channels.log,
    channels.trace,
    python,
    made,
    documents,
    reductions,
    new Status(made),
    ...registerCommands(parts),
    made.onDidChange((state) => {
      if (state) void installer.tell(state);
    }),
    workspace.onDidChangeWorkspaceFolders(() => void made.refresh()),
    workspace.onDidGrantWorkspaceTrust(() => void made.refresh()),
    workspace.onDidChangeConfiguration((change) => {
      if (DECISIVE.some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) void made.refresh();
    }),
  );
  await commands.executeCommand("setContext", "reductionLint.active", true);
  await made.refresh();
}

export async function deactivate(): Promise<void> {
  await manager?.stop();
}
