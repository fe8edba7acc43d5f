/** Finds, starts and stops the server of every workspace folder, and tells what came of it. */
import { EventEmitter, type Uri, window, workspace, type Disposable, type WorkspaceFolder } from "vscode";
import { findServer, type Machine, type Resolution } from "../core/discovery";
import { logLines } from "../core/messages";
import type { PythonExtensions } from "../core/pythonExtensions";
import { Supervisor } from "../core/restart";
import { FolderClient, type Channels } from "./client";
import { settingsOf } from "./settings";
import { messageOf, ToolError } from "./errors";

/** A workspace folder, or the place of files that are opened without one. */
export interface Place {
  folder: WorkspaceFolder | undefined;
}

export interface State {
  place: Place;
  resolution: Resolution;
  client?: FolderClient;
  failure?: unknown;
}

export class ServerManager implements Disposable {
  private readonly states = new Map<string, State>();
  private readonly supervisor: Supervisor<Place>;
  private readonly changes = new EventEmitter<State | undefined>();
  /** A folder's server came, went, or became busy or idle. */
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly machine: Machine,
    private readonly python: () => PythonExtensions<Uri>,
    private readonly channels: Channels,
  ) {
    this.supervisor = new Supervisor<Place>({
      folders: places,
      id: idOf,
      resolve: (place) => this.resolve(place),
      start: (place, resolution) => this.start(place, resolution),
      changed: (place, resolution, failure) => this.changed(place, resolution, failure),
      removed: (id) => {
        this.states.delete(id);
        this.changes.fire(undefined);
      },
    });
  }

  get all(): readonly State[] {
    return [...this.states.values()];
  }

  /** See Supervisor.refresh. */
  refresh(force = false): Promise<void> {
    return this.supervisor.refresh(force);
  }

  /** The state for a document; without one, that of the active editor, or the only one. */
  stateFor(uri?: Uri): State | undefined {
    const asked = uri ?? window.activeTextEditor?.document.uri ?? window.activeNotebookEditor?.notebook.uri;
    const folder = asked && outermost(workspace.getWorkspaceFolder(asked));
    return this.states.get(idOf({ folder })) ?? (this.states.size === 1 || !uri ? this.all[0] : undefined);
  }

  /** The running server for a document, see stateFor; throws ToolError. */
  clientFor(uri?: Uri): FolderClient {
    const client = this.stateFor(uri)?.client;
    if (!client) throw new ToolError("reduction-lint is not running for this folder; the status bar says why.");
    return client;
  }

  async stop(): Promise<void> {
    await this.supervisor.close();
  }

  dispose(): void {
    this.changes.dispose();
  }

  private async resolve(place: Place): Promise<Resolution> {
    const settings = settingsOf(place.folder);
    const resolution = await findServer(
      {
        enabled: settings.enable,
        trusted: workspace.isTrusted,
        path: settings.path,
        interpreter: settings.interpreter,
        selected: () => this.python().selected(place.folder?.uri),
      },
      this.machine,
    );
    for (const line of logLines(nameOf(place), resolution)) this.channels.log.info(line);
    return resolution;
  }

  private async start(place: Place, resolution: Resolution & { kind: "found" }): Promise<FolderClient> {
    const busyChanged = (): void => this.changes.fire(this.states.get(idOf(place)));
    const client = new FolderClient(place.folder, resolution.server, this.channels, busyChanged);
    this.states.set(idOf(place), { place, resolution, client });
    try {
      await client.start();
    } catch (error) {
      await client.stop().catch(() => undefined);
      throw error;
    }
    return client;
  }

  private changed(place: Place, resolution: Resolution, failure?: unknown): void {
    const started = failure === undefined ? this.states.get(idOf(place))?.client : undefined;
    const client = resolution.kind === "found" ? started : undefined;
    const state: State = { place, resolution, client, failure };
    if (failure !== undefined) this.channels.log.error(`${nameOf(place)}: the server did not start: ${messageOf(failure)}`);
    this.states.set(idOf(place), state);
    this.changes.fire(state);
  }
}

export function nameOf(place: Place): string {
  return place.folder?.name ?? "files without a folder";
}

function idOf(place: Place): string {
  return place.folder?.uri.toString() ?? "";
}

/** The folders on disk; one that lies within another is served by the outer one's server. */
function places(): Place[] {
  const folders = (workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
  if (!workspace.workspaceFolders?.length) return [{ folder: undefined }];
  return folders.filter((folder) => outermost(folder) === folder).map((folder) => ({ folder }));
}

function outermost(folder: WorkspaceFolder | undefined): WorkspaceFolder | undefined {
  const containing = (workspace.workspaceFolders ?? []).filter(
    (other) => folder?.uri.scheme === other.uri.scheme && `${folder.uri.path}/`.startsWith(`${other.uri.path}/`),
  );
  return containing.sort((a, b) => a.uri.path.length - b.uri.path.length)[0] ?? folder;
}
