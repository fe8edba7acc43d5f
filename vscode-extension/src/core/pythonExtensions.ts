/**
 * The two extensions that know the selected Python environment, behind one interface. Neither is required; when both
 * are there, Python Environments is asked first, for the older one delegates to it. The types are the parts of
 * their documented interfaces that are used here, so that fakes can stand in for them.
 */
import type { Interpreter } from "./discovery";

interface Event {
  (listener: (change: unknown) => void): { dispose(): void };
}

/** A part of the interface of `ms-python.vscode-python-envs`. */
export interface PythonEnvironmentsApi<Uri> {
  getEnvironment(scope: Uri | undefined): Promise<NewEnvironment | undefined>;
  onDidChangeEnvironment: Event;
}

interface NewEnvironment {
  displayName?: string;
  name?: string;
  version?: string;
  execInfo?: { run?: RunInfo; activatedRun?: RunInfo };
}

interface RunInfo {
  executable: string;
  args?: readonly string[];
}

/** A part of the interface of `ms-python.python`. */
export interface PythonApi<Uri> {
  environments: {
    getActiveEnvironmentPath(resource?: Uri): { id: string; path: string };
    resolveEnvironment(path: { id: string; path: string }): Promise<OldEnvironment | undefined>;
    onDidChangeActiveEnvironmentPath: Event;
  };
}

interface OldEnvironment {
  executable: { uri?: { fsPath: string } };
  environment?: { name?: string; folderUri?: { fsPath: string } };
  version?: { major?: number; minor?: number };
}

/** Gives the exports of an activated extension, or undefined when it is not installed. */
export type Extensions = (id: string) => Promise<unknown>;

export const PYTHON_ENVIRONMENTS = "ms-python.vscode-python-envs";
export const PYTHON = "ms-python.python";

export class PythonExtensions<Uri> {
  private readonly listening = new Set<string>();
  private readonly disposables: { dispose(): void }[] = [];

  /** `changed` is called when the user selects another environment. */
  constructor(
    private readonly extensions: Extensions,
    private readonly changed: () => void,
  ) {}

  /** The environment that is selected for a folder, if an extension knows one. Never rejects. */
  async selected(folder: Uri | undefined): Promise<Interpreter | undefined> {
    return (await this.fromEnvironments(folder)) ?? (await this.fromPython(folder));
  }

  dispose(): void {
    for (const disposable of this.disposables.splice(0)) disposable.dispose();
  }

  private async fromEnvironments(folder: Uri | undefined): Promise<Interpreter | undefined> {
    try {
      const api = (await this.extensions(PYTHON_ENVIRONMENTS)) as PythonEnvironmentsApi<Uri> | undefined;
      if (typeof api?.getEnvironment !== "function") return undefined;
      this.listen(PYTHON_ENVIRONMENTS, api.onDidChangeEnvironment);
      const found = await api.getEnvironment(folder);
      const info = found?.execInfo?.run ?? found?.execInfo?.activatedRun;
      if (!found || !info?.executable) return undefined;
      const label = found.displayName ?? found.name ?? info.executable;
      return { command: [info.executable, ...(info.args ?? [])], label };
    } catch {
      return undefined;
    }
  }

  private async fromPython(folder: Uri | undefined): Promise<Interpreter | undefined> {
    try {
      const api = (await this.extensions(PYTHON)) as PythonApi<Uri> | undefined;
      if (!api?.environments) return undefined;
      const { environments } = api;
      this.listen(PYTHON, environments.onDidChangeActiveEnvironmentPath);
      const found = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
      const path = found?.executable.uri?.fsPath;
      if (!found || !path) return undefined;
      const { major, minor } = found.version ?? {};
      const version = major === undefined ? "Python" : `Python ${major}.${minor ?? "?"}`;
      return { command: [path], label: `${version} (${found.environment?.name ?? path})` };
    } catch {
      return undefined;
    }
  }

  private listen(id: string, event: Event): void {
    if (this.listening.has(id)) return;
    this.listening.add(id);
    this.disposables.push(event(() => this.changed()));
  }
}
