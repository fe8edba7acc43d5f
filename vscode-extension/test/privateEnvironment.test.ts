/** Making the extension's own environment, with programs that only pretend. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { installPrivately, InstallError, privateInterpreter, usableInterpreter } from "../src/core/privateEnvironment";
import type { Outcome, Runner } from "../src/core/process";

const OK: Outcome = { status: 0, stdout: "", stderr: "", failure: "" };

/** Pretends `python -m venv` and `pip install`; the latter ends as told. `commands` records both. */
function fakeRunner(pip: Outcome = OK): Runner & { commands: string[] } {
  const commands: string[] = [];
  const runner: Runner = async (command) => {
    commands.push(command.join(" "));
    if (!command.includes("venv")) return command.includes("pip") ? pip : OK;
    const python = join(command[command.length - 1] ?? "", "bin", "python");
    await mkdir(dirname(python), { recursive: true });
    await writeFile(python, `made by ${command[0] ?? ""}`, { mode: 0o755 });
    return OK;
  };
  return Object.assign(runner, { commands });
}

const storageFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "reduction-lint-test-"));

test("it is a virtual environment of the given interpreter with the package in it", async () => {
  const storage = await storageFolder();
  const runner = fakeRunner();
  const python = await installPrivately(storage, ["py", "-3"], runner);
  assert.equal(python, await privateInterpreter(storage));
  assert.match(runner.commands[0] ?? "", /^py -3 -m venv .*environment$/);
  assert.match(runner.commands[1] ?? "", /bin\/python -m pip install .* reduction-lint$/);
});

test("there is none before it was asked for", async () => {
  assert.equal(await privateInterpreter(await storageFolder()), undefined);
});

test("a failed first installation leaves nothing behind and says what pip said", async () => {
  const storage = await storageFolder();
  const pip = { ...OK, status: 1, stderr: "looking\nERROR: No matching distribution found for reduction-lint\n" };
  await assert.rejects(
    installPrivately(storage, ["python3"], fakeRunner(pip)),
    (error) => error instanceof InstallError && /No matching distribution found/.test(error.message),
  );
  assert.equal(await privateInterpreter(storage), undefined);
});

test("a failed upgrade keeps the environment that worked", async () => {
  const storage = await storageFolder();
  await installPrivately(storage, ["first"], fakeRunner());
  await assert.rejects(installPrivately(storage, ["second"], fakeRunner({ ...OK, status: 1 })));
  const python = await privateInterpreter(storage);
  assert.equal(await readFile(python ?? "", "utf8"), "made by first");
});

test("an interpreter that is too old or does not run is passed over", async () => {
  const versions: Record<string, string> = { old: "3.9", good: "3.12" };
  const runner: Runner = ([program = ""]) => {
    const version = versions[program];
    return Promise.resolve(version ? { ...OK, stdout: `${version}\n` } : { ...OK, status: null });
  };
  assert.deepEqual(await usableInterpreter([["gone"], ["old"], ["good"]], runner), ["good"]);
  assert.equal(await usableInterpreter([["gone"], ["old"]], runner), undefined);
});
