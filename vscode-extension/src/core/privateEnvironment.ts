/**
 * The extension's own virtual environment, in its storage folder. It is made only on request: libcst is native and
 * built per Python version, so nothing can be shipped with the extension.
 */
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isExecutable } from "./files";
import type { RunOptions, Runner } from "./process";
import { OLDEST_PYTHON, compareVersions } from "./version";

export const PACKAGE = "reduction-lint";
const FOLDER = "environment";
const PYTHON = process.platform === "win32" ? join("Scripts", "python.exe") : join("bin", "python");

/** A step that failed, as one line for people; the log has the program's output. */
export class InstallError extends Error {}

/** The private environment's interpreter, if the environment was completed. */
export async function privateInterpreter(storage: string): Promise<string | undefined> {
  const path = join(storage, FOLDER, PYTHON);
  return (await isExecutable(path)) ? path : undefined;
}

/** The version of an interpreter, such as `3.12`; undefined when it does not run. */
export async function pythonVersion(interpreter: readonly string[], run: Runner): Promise<string | undefined> {
  const script = "import sys; print('%d.%d' % sys.version_info[:2])";
  const outcome = await run([...interpreter, "-c", script], { timeout: 20_000 });
  return outcome.status === 0 ? /^\d+\.\d+$/m.exec(outcome.stdout)?.[0] : undefined;
}

/** The first of the interpreters that is new enough. */
export async function usableInterpreter(
  interpreters: readonly (readonly string[])[],
  run: Runner,
): Promise<readonly string[] | undefined> {
  for (const interpreter of interpreters) {
    const version = await pythonVersion(interpreter, run);
    if (version !== undefined && compareVersions(version, OLDEST_PYTHON) >= 0) return interpreter;
  }
  return undefined;
}

/**
 * Makes the private environment anew and returns its interpreter; throws InstallError. An older one stays in place
 * until the new one is complete.
 */
export async function installPrivately(
  storage: string,
  interpreter: readonly string[],
  run: Runner,
  options: RunOptions = {},
): Promise<string> {
  const folder = join(storage, FOLDER);
  const old = `${folder}.old`;
  const python = join(folder, PYTHON);
  // A virtual environment cannot be moved once it is made, so it is the old one that steps aside.
  await rm(old, { recursive: true, force: true });
  const hadOne = await rename(folder, old).then(
    () => true,
    () => false,
  );
  try {
    await step("make a virtual environment", [...interpreter, "-m", "venv", folder], run, options);
    await installInto([python], run, options);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (hadOne) await rename(old, folder);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
  return python;
}

/** Installs or upgrades reduction-lint for an interpreter; throws InstallError. */
export async function installInto(
  interpreter: readonly string[],
  run: Runner,
  options: RunOptions = {},
): Promise<void> {
  const pip = ["-m", "pip", "install", "--upgrade", "--disable-pip-version-check", "--no-input", PACKAGE];
  await step(`install ${PACKAGE}`, [...interpreter, ...pip], run, options);
}

async function step(what: string, command: readonly string[], run: Runner, options: RunOptions): Promise<void> {
  options.onOutput?.(`> ${command.join(" ")}\n`);
  const outcome = await run(command, options);
  if (outcome.status === 0) return;
  const output = `${outcome.stderr}\n${outcome.stdout}`.trim();
  const told = output.split("\n").find((line) => /error/i.test(line)) ?? output.split("\n").pop();
  throw new InstallError(`Could not ${what}: ${outcome.failure || told || `status ${outcome.status}`}`);
}
