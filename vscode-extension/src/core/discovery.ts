/**
 * Which reduction-lint serves a workspace folder. The order: the `path` setting, the selected Python environment,
 * PATH, the private environment. Nothing here knows VS Code, and nothing is run that the order does not ask for.
 */
import type { Runner } from "./process";
import { compareVersions, OLDEST_SERVER, parseVersion } from "./version";

export type Source = "setting" | "interpreter" | "environment" | "PATH" | "private";

/** A Python interpreter, as a setting or an extension names it. */
export interface Interpreter {
  command: readonly string[];
  /** How people call it, such as `Python 3.12 (.venv)`. */
  label: string;
}

/** A reduction-lint that answered. `command` runs its command line; the language server is its `server` command. */
export interface Server {
  command: readonly string[];
  version: string;
  source: Source;
  label: string;
}

/** Somewhere that was looked at in vain. */
export interface Miss {
  source: Source;
  where: string;
  reason: string;
}

export type Resolution =
  | { kind: "found"; server: Server; misses: readonly Miss[] }
  | { kind: "missing"; misses: readonly Miss[]; interpreter?: Interpreter }
  | { kind: "outdated"; server: Server; misses: readonly Miss[]; interpreter?: Interpreter }
  | { kind: "untrusted" }
  | { kind: "disabled" };

/** What is known about a folder before anything is run. */
export interface Request {
  enabled: boolean;
  trusted: boolean;
  /** The `path` setting, with variables already replaced; empty when not set. */
  path: string;
  /** The `interpreter` setting; empty when not set. */
  interpreter: string;
  /** The environment that a Python extension has selected for the folder. */
  selected?: () => Promise<Interpreter | undefined>;
}

/** The machine, replaceable in tests. */
export interface Machine {
  run: Runner;
  /** The full path of a program on PATH. */
  which(program: string): Promise<string | undefined>;
  /** The private environment's interpreter, if there is one. */
  privateInterpreter(): Promise<string | undefined>;
}

const TIMEOUT = 20_000;
/**
 * Starts the module like `python -m`, but without the working folder on the import path: a project may well contain
 * a `types.py`. `-P` would do, but only from Python 3.11 on.
 */
const LAUNCH =
  "import sys; sys.path[0] or sys.path.pop(0); import runpy; " +
  "runpy.run_module('reduction_lint', run_name='__main__', alter_sys=True)";

/** The command line of the reduction-lint that is installed for an interpreter. */
export function moduleCommand(interpreter: readonly string[]): string[] {
  return [...interpreter, "-c", LAUNCH];
}

/** Looks for a server in the order of the module's comment. Never rejects. */
export async function findServer(request: Request, machine: Machine): Promise<Resolution> {
  if (!request.enabled) return { kind: "disabled" };
  if (!request.trusted) return { kind: "untrusted" };
  const misses: Miss[] = [];
  let outdated: Server | undefined;
  let interpreter: Interpreter | undefined;
  for await (const candidate of candidates(request, machine, (found) => (interpreter = found))) {
    const answer = await probe(candidate, machine.run);
    if ("reason" in answer) misses.push(answer);
    else if (compareVersions(answer.version, OLDEST_SERVER) >= 0) return { kind: "found", server: answer, misses };
    else {
      misses.push({ source: answer.source, where: answer.label, reason: `version ${answer.version} is too old` });
      outdated ??= answer;
    }
    // What a setting names is meant: silently taking another one would hide the mistake.
    if (candidate.source === "setting") break;
  }
  if (outdated) return { kind: "outdated", server: outdated, misses, interpreter };
  return { kind: "missing", misses, interpreter };
}

interface Candidate {
  source: Source;
  command: readonly string[];
  label: string;
}

async function* candidates(
  request: Request,
  machine: Machine,
  remember: (interpreter: Interpreter) => void,
): AsyncGenerator<Candidate> {
  if (request.path) yield { source: "setting", command: [request.path], label: request.path };
  if (request.interpreter) {
    remember({ command: [request.interpreter], label: request.interpreter });
    yield { source: "interpreter", command: moduleCommand([request.interpreter]), label: request.interpreter };
  } else {
    const selected = await request.selected?.().catch(() => undefined);
    if (selected) {
      remember(selected);
      yield { source: "environment", command: moduleCommand(selected.command), label: selected.label };
    }
  }
  const onPath = await machine.which("reduction-lint");
  if (onPath) yield { source: "PATH", command: [onPath], label: onPath };
  const own = await machine.privateInterpreter();
  if (own) yield { source: "private", command: moduleCommand([own]), label: "private environment" };
}

async function probe(candidate: Candidate, run: Runner): Promise<Server | Miss> {
  const { source, command, label } = candidate;
  const outcome = await run([...command, "--version"], { timeout: TIMEOUT });
  const version = outcome.status === 0 ? parseVersion(outcome.stdout) : undefined;
  if (version !== undefined) return { command, version, source, label };
  return { source, where: label, reason: reasonOf(outcome) };
}

function reasonOf(outcome: { status: number | null; stdout: string; stderr: string; failure: string }): string {
  if (outcome.failure) return outcome.failure;
  if (/No module named '?reduction_lint\b/.test(outcome.stderr)) return "reduction-lint is not installed there";
  const last = outcome.stderr.trim().split("\n").pop();
  return last ? last : `it ended with status ${outcome.status} and did not tell its version`;
}

/** Two resolutions with the same key are served by one running server; another key means a restart. */
export function keyOf(resolution: Resolution): string {
  if (resolution.kind !== "found") return resolution.kind;
  return JSON.stringify([resolution.server.command, resolution.server.version]);
}
