/** The settings of one folder, as the extension itself needs them. The server asks for its own. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { workspace, type WorkspaceFolder } from "vscode";

export const SECTION = "reductionLint";

export interface Settings {
  enable: boolean;
  path: string;
  interpreter: string;
  configuration: string;
  profile: string;
  preview: boolean | null;
}

export function settingsOf(folder: WorkspaceFolder | undefined): Settings {
  const values = workspace.getConfiguration(SECTION, folder);
  return {
    enable: values.get("enable", true),
    path: program(values.get("path", ""), folder),
    interpreter: program(values.get("interpreter", ""), folder),
    configuration: program(values.get("configuration", ""), folder),
    profile: values.get("profile", ""),
    preview: values.get<boolean | null>("preview", null),
  };
}

/** The settings that the server reads. */
export function serverSettings(folder: WorkspaceFolder | undefined): object {
  const values = workspace.getConfiguration(SECTION, folder);
  const names = [
    "enable",
    "configuration",
    "profile",
    "preview",
    "run",
    "diagnosticMode",
    "codeLens",
    "inlayHints",
    "severity",
    "severityLevel",
    "logLevel",
  ];
  const found = Object.fromEntries(names.map((name) => [name, values.get<unknown>(name)]));
  const configuration = found["configuration"];
  if (typeof configuration === "string") found["configuration"] = program(configuration, folder);
  return found;
}

/** A path with variables replaced; one with a slash is relative to the folder, a bare name is looked up on PATH. */
function program(text: string, folder: WorkspaceFolder | undefined): string {
  const replaced = text
    .trim()
    .replace(/^~(?=$|[/\\])/, homedir())
    .replaceAll("${userHome}", homedir())
    .replaceAll("${workspaceFolder}", folder?.uri.fsPath ?? "")
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => process.env[name] ?? "");
  const isFile = /[/\\]/.test(replaced);
  return folder && isFile && !isAbsolute(replaced) ? join(folder.uri.fsPath, replaced) : replaced;
}
