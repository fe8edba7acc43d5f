/** Runs the command line of a folder's reduction-lint, for what the language server has no request for. */
import { homedir } from "node:os";
import type { Runner } from "../core/process";
import { ToolError } from "./errors";
import type { State } from "./serverManager";
import { settingsOf } from "./settings";

const TIMEOUT = 300_000;

/** The arguments by which a command uses the settings that the folder's server uses. */
export function settingsArguments(state: State): string[] {
  const { configuration, profile, preview } = settingsOf(state.place.folder);
  return [
    ...(configuration ? ["--config", configuration] : []),
    ...(profile ? ["--profile", profile] : []),
    ...(preview === true ? ["--preview"] : []),
  ];
}

/** The standard output of a command; throws ToolError. Findings (status 1) are no error. */
export async function runTool(state: State | undefined, args: readonly string[], run: Runner): Promise<string> {
  if (state?.resolution.kind !== "found") throw new ToolError("reduction-lint is not running for this folder.");
  const outcome = await run([...state.resolution.server.command, ...args], {
    cwd: state.place.folder?.uri.fsPath ?? homedir(),
    timeout: TIMEOUT,
  });
  if (outcome.status === 0 || outcome.status === 1 || (outcome.status === 2 && outcome.stdout)) return outcome.stdout;
  const reason = outcome.failure || outcome.stderr.trim().split("\n").pop() || `status ${outcome.status}`;
  throw new ToolError(`reduction-lint ${args[0]}: ${reason}`);
}
