/** Runs programs and says what came of it. Nothing here knows VS Code. */
import { spawn } from "node:child_process";

/** What a finished (or never started) program left behind. `status` is null when it did not start or was ended. */
export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
  /** Why it did not start, or that it took too long; empty otherwise. */
  failure: string;
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Milliseconds; the program is ended after that. */
  timeout?: number;
  signal?: AbortSignal;
  onOutput?: (text: string) => void;
}

/** Runs a program; in tests a fake takes this place. */
export type Runner = (command: readonly string[], options?: RunOptions) => Promise<Outcome>;

export const run: Runner = (command, options = {}) =>
  new Promise((resolve) => {
    const [program = "", ...args] = command;
    const outcome: Outcome = { status: null, stdout: "", stderr: "", failure: "" };
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      signal: options.signal,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { timeout } = options;
    const timer =
      timeout === undefined
        ? undefined
        : setTimeout(() => {
            outcome.failure = `no answer within ${timeout / 1000} s`;
            child.kill("SIGKILL");
          }, timeout);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      outcome.stdout += text;
      options.onOutput?.(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      outcome.stderr += text;
      options.onOutput?.(text);
    });
    const end = (status: number | null): void => {
      clearTimeout(timer);
      resolve({ ...outcome, status });
    };
    child.on("error", (error) => {
      outcome.failure ||= error.message;
      end(null);
    });
    child.on("close", (status) => end(outcome.failure ? null : status));
  });
