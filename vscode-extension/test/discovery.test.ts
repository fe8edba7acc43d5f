/** Which server is found, in which order, and what is said otherwise. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findServer, keyOf, moduleCommand, type Interpreter, type Machine, type Request } from "../src/core/discovery";
import type { Outcome } from "../src/core/process";

const VENV: Interpreter = { command: ["/venv/bin/python"], label: "Python 3.12 (venv)" };
const NOT_THERE: Outcome = { status: 1, stdout: "", stderr: "No module named reduction_lint", failure: "" };

/** A machine on which the programs in `versions` answer with their version; it records what was run. */
function fakeMachine(versions: Record<string, string>, more: Partial<Machine> = {}): Machine & { ran: string[] } {
  const ran: string[] = [];
  return {
    ran,
    run: (command) => {
      const program = command[0] ?? "";
      ran.push(program);
      const version = versions[program];
      return Promise.resolve(
        version === undefined ? NOT_THERE : { status: 0, stdout: `reduction-lint ${version}\n`, stderr: "", failure: "" },
      );
    },
    which: () => Promise.resolve(undefined),
    privateInterpreter: () => Promise.resolve(undefined),
    ...more,
  };
}

function request(more: Partial<Request> = {}): Request {
  return { enabled: true, trusted: true, path: "", interpreter: "", ...more };
}

const everywhere = {
  which: () => Promise.resolve("/usr/bin/reduction-lint"),
  privateInterpreter: () => Promise.resolve("/storage/bin/python"),
};

test("the path setting comes first and nothing else is run", async () => {
  const machine = fakeMachine({ "/opt/rl": "0.1.0", "/venv/bin/python": "0.1.0" }, everywhere);
  const found = await findServer(request({ path: "/opt/rl", selected: () => Promise.resolve(VENV) }), machine);
  assert.ok(found.kind === "found");
  assert.equal(found.server.source, "setting");
  assert.deepEqual(machine.ran, ["/opt/rl"]);
});

test("a path setting that does not work is told, not silently replaced", async () => {
  const machine = fakeMachine({ "/usr/bin/reduction-lint": "0.1.0" }, everywhere);
  const found = await findServer(request({ path: "/opt/gone" }), machine);
  assert.equal(found.kind, "missing");
  assert.deepEqual(machine.ran, ["/opt/gone"]);
});

test("the selected environment comes before PATH", async () => {
  const machine = fakeMachine({ "/venv/bin/python": "0.1.0", "/usr/bin/reduction-lint": "0.1.0" }, everywhere);
  const found = await findServer(request({ selected: () => Promise.resolve(VENV) }), machine);
  assert.ok(found.kind === "found");
  assert.equal(found.server.source, "environment");
  assert.deepEqual(found.server.command, moduleCommand(VENV.command));
});

test("the interpreter setting stands in for the selected environment", async () => {
  const machine = fakeMachine({ "/my/python": "0.1.0" }, everywhere);
  const asked = request({ interpreter: "/my/python", selected: () => Promise.reject(new Error("not to be asked")) });
  const found = await findServer(asked, machine);
  assert.ok(found.kind === "found");
  assert.equal(found.server.source, "interpreter");
});

test("PATH comes next, and the private environment last", async () => {
  const onPath = await findServer(request(), fakeMachine({ "/usr/bin/reduction-lint": "0.1.0" }, everywhere));
  const own = await findServer(request(), fakeMachine({ "/storage/bin/python": "0.1.0" }, everywhere));
  assert.equal(onPath.kind === "found" && onPath.server.source, "PATH");
  assert.equal(own.kind === "found" && own.server.source, "private");
});

test("an environment without reduction-lint is a miss that says so, and is offered for installing", async () => {
  const found = await findServer(request({ selected: () => Promise.resolve(VENV) }), fakeMachine({}));
  assert.ok(found.kind === "missing");
  assert.deepEqual(found.interpreter, VENV);
  assert.deepEqual(found.misses, [
    { source: "environment", where: VENV.label, reason: "reduction-lint is not installed there" },
  ]);
});

test("one that is too old is passed over for a newer one, and told when there is none", async () => {
  const old = { "/venv/bin/python": "0.0.9" };
  const selected = (): Promise<Interpreter> => Promise.resolve(VENV);
  const both = fakeMachine({ ...old, "/usr/bin/reduction-lint": "0.2" }, everywhere);
  const passed = await findServer(request({ selected }), both);
  const alone = await findServer(request({ selected }), fakeMachine(old));
  assert.equal(passed.kind === "found" && passed.server.version, "0.2");
  assert.ok(alone.kind === "outdated");
  assert.equal(alone.server.version, "0.0.9");
});

test("a Python extension that fails does not end the search", async () => {
  const machine = fakeMachine({ "/usr/bin/reduction-lint": "0.1.0" }, everywhere);
  const found = await findServer(request({ selected: () => Promise.reject(new Error("broken")) }), machine);
  assert.equal(found.kind, "found");
});

test("in an untrusted workspace, and when switched off, nothing is run at all", async () => {
  const machine = fakeMachine({ "/opt/rl": "0.1.0" }, everywhere);
  const untrusted = await findServer(request({ trusted: false, path: "/opt/rl" }), machine);
  const disabled = await findServer(request({ enabled: false, path: "/opt/rl" }), machine);
  assert.equal(untrusted.kind, "untrusted");
  assert.equal(disabled.kind, "disabled");
  assert.deepEqual(machine.ran, []);
});

test("the key changes with the command and with the version, not with the way it was found", async () => {
  const keyAt = async (path: string, version: string): Promise<string> =>
    keyOf(await findServer(request({ path }), fakeMachine({ [path]: version })));
  const onPath = await findServer(request(), fakeMachine({ "/a": "0.1.0" }, { which: () => Promise.resolve("/a") }));
  assert.equal(await keyAt("/a", "0.1.0"), keyOf(onPath));
  assert.notEqual(await keyAt("/a", "0.1.0"), await keyAt("/b", "0.1.0"));
  assert.notEqual(await keyAt("/a", "0.1.0"), await keyAt("/a", "0.2.0"));
});
