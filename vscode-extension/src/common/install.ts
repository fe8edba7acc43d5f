/** What to do when no server was found: the message, and what its buttons do. */
import { ConfigurationTarget, ProgressLocation, type Uri, commands, window, workspace, type LogOutputChannel } from "vscode";
import * as messages from "../core/messages";
import { installInto, installPrivately, InstallError, usableInterpreter } from "../core/privateEnvironment";
import type { RunOptions, Runner } from "../core/process";
import { OLDEST_PYTHON } from "../core/version";
import { nameOf, type ServerManager, type State } from "./serverManager";
import { SECTION } from "./settings";

export class Installer {
  /** One message per folder and problem, however often it is found again. */
  private readonly told = new Map<string, string>();

  constructor(
    private readonly manager: ServerManager,
    private readonly storage: string,
    private readonly run: Runner,
    private readonly log: LogOutputChannel,
  ) {}

  /** Tells about a folder without a usable server, once. */
  async tell(state: State): Promise<void> {
    const name = nameOf(state.place);
    const message = messages.messageFor(name, state.resolution);
    if (!message) {
      this.told.delete(name);
      return;
    }
    if (this.told.get(name) === message.text) return;
    this.told.set(name, message.text);
    const chosen = await window.showWarningMessage(message.text, ...message.buttons);
    if (chosen === messages.INSTALL_PRIVATELY) await this.installPrivately(state);
    else if (chosen === messages.INSTALL_HERE) await this.installHere(state);
    else if (chosen === messages.CHOOSE_PATH) await this.choosePath(state);
    else if (chosen === messages.SHOW_LOG) this.log.show();
  }

  /** Makes the extension's own environment and starts the server from it. */
  async installPrivately(state: State | undefined): Promise<void> {
    await this.install("reduction-lint: installing privately …", async (options) => {
      const selected = interpreterOf(state);
      const tried = [...(selected ? [selected] : []), ["python3"], ["python"], ["py", "-3"]];
      const interpreter = await usableInterpreter(tried, this.run);
      if (!interpreter) throw new InstallError(`No Python ${OLDEST_PYTHON} or newer was found to install with.`);
      await installPrivately(this.storage, interpreter, this.run, options);
    });
  }

  /** Installs into the environment that is selected for the folder. */
  async installHere(state: State | undefined): Promise<void> {
    const interpreter = interpreterOf(state);
    await this.install("reduction-lint: installing into the selected environment …", async (options) => {
      if (!interpreter) throw new InstallError("No Python environment is selected for this folder.");
      await installInto(interpreter, this.run, options);
    });
  }

  /** Lets the user pick the executable, and keeps it in the settings. */
  async choosePath(state: State | undefined): Promise<void> {
    const [file] = (await window.showOpenDialog({ title: "The reduction-lint executable", openLabel: "Use" })) ?? [];
    if (!file) return;
    const folder: Uri | undefined = state?.place.folder?.uri;
    const target = folder ? ConfigurationTarget.WorkspaceFolder : ConfigurationTarget.Global;
    await workspace.getConfiguration(SECTION, folder).update("path", file.fsPath, target);
  }

  private async install(title: string, work: (options: RunOptions) => Promise<void>): Promise<void> {
    if (!workspace.isTrusted) {
      await commands.executeCommand("workbench.trust.manage");
      return;
    }
    try {
      await window.withProgress({ location: ProgressLocation.Notification, title, cancellable: true }, (_, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        return work({ signal: abort.signal, onOutput: (text) => this.log.info(text.trimEnd()) });
      });
      await this.manager.refresh();
    } catch (error) {
      const text = error instanceof InstallError ? error.message : String(error);
      this.log.error(text);
      const chosen = await window.showErrorMessage(text, messages.SHOW_LOG);
      if (chosen) this.log.show();
    }
  }
}

function interpreterOf(state: State | undefined): readonly string[] | undefined {
  const resolution = state?.resolution;
  return resolution && "interpreter" in resolution ? resolution.interpreter?.command : undefined;
}
