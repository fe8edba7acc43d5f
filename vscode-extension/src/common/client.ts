/** The running server of one workspace folder. */
import { workspace, type LogOutputChannel, type Uri, type WorkspaceFolder } from "vscode";
import {
  ExecuteCommandRequest,
  LanguageClient,
  RevealOutputChannelOn,
  TextDocumentContentRequest,
  type DocumentSelector,
  type DynamicFeature,
  type LanguageClientOptions,
  type NotebookDocumentMiddleware,
  type StaticFeature,
} from "vscode-languageclient/node";
import type { Server } from "../core/discovery";
import { SECTION, serverSettings } from "./settings";

export interface Channels {
  log: LogOutputChannel;
  trace: LogOutputChannel;
}

/**
 * The extension registers the server's commands itself, once for all folders, and sends each call to the folder's
 * server; and it shows the pages of their answers, which the server would else open as raw Markdown.
 */
const UNUSED: string[] = [ExecuteCommandRequest.method, TextDocumentContentRequest.method];

class FolderLanguageClient extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ("registrationType" in feature && UNUSED.includes(feature.registrationType.method)) return;
    super.registerFeature(feature);
  }
}

export class FolderClient {
  private readonly client: LanguageClient;
  private readonly tasks = new Set<string | number>();

  /** `busyChanged` is called when the server begins or ends something long, such as indexing. */
  constructor(
    readonly folder: WorkspaceFolder | undefined,
    readonly server: Server,
    channels: Channels,
    private readonly busyChanged: () => void,
  ) {
    const [program = "", ...args] = server.command;
    const options = { cwd: folder?.uri.fsPath };
    const executable = { command: program, args: [...args, "server"], options };
    this.client = new FolderLanguageClient(SECTION, "reduction-lint", executable, this.options(channels));
  }

  get busy(): boolean {
    return this.tasks.size > 0;
  }

  async start(): Promise<void> {
    await this.client.start();
  }

  async stop(): Promise<void> {
    this.tasks.clear();
    await this.client.dispose(5000);
  }

  /** Runs a command of the server; rejects with the server's error. */
  execute(command: string, ...args: unknown[]): Promise<unknown> {
    return this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
  }

  private options(channels: Channels): LanguageClientOptions {
    const { folder } = this;
    return {
      documentSelector: selector(folder),
      workspaceFolder: folder,
      initializationOptions: serverSettings(folder),
      outputChannel: channels.log,
      traceOutputChannel: channels.trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      diagnosticPullOptions: { onChange: true, onSave: true, onFocus: true },
      middleware: {
        notebooks: notebooksOf(folder),
        workspace: {
          configuration: (params) =>
            params.items.map((item) => (item.section === SECTION ? serverSettings(folder) : null)),
        },
        handleWorkDoneProgress: (token, params, next) => {
          if (params.kind === "end") this.tasks.delete(token);
          else this.tasks.add(token);
          this.busyChanged();
          next(token, params);
        },
      },
    };
  }
}

/** The Python files and settings files of a folder; without one, all of them. */
function selector(folder: WorkspaceFolder | undefined): DocumentSelector {
  const pattern = folder && { baseUri: folder.uri.toString(), pattern: "**/*" };
  const within = pattern ? { pattern } : {};
  const settings = "**/{pyproject,reduction-lint,.reduction-lint}.toml";
  return [
    { scheme: "file", language: "python", ...within },
    { scheme: "file", pattern: folder ? { baseUri: folder.uri.toString(), pattern: settings } : settings },
    ...(folder ? [] : [{ scheme: "untitled", language: "python" }]),
    { notebook: { scheme: "file", notebookType: "jupyter-notebook", ...within }, language: "python" },
  ];
}

/** Which notebooks are synchronised is the server's to say, and it knows of one folder only. */
function notebooksOf(folder: WorkspaceFolder | undefined): NotebookDocumentMiddleware["notebooks"] {
  if (!folder) return {};
  const mine = (uri: Uri): boolean => workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.uri.toString();
  return {
    didOpen: async (notebook, cells, next) => (mine(notebook.uri) ? next(notebook, cells) : undefined),
    didSave: async (notebook, next) => (mine(notebook.uri) ? next(notebook) : undefined),
    didChange: async (change, next) => (mine(change.notebook.uri) ? next(change) : undefined),
    didClose: async (notebook, cells, next) => (mine(notebook.uri) ? next(notebook, cells) : undefined),
  };
}
