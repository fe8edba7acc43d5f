/** The two Python extensions, as fakes of their interfaces: neither is required, the newer one is asked first. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PYTHON, PYTHON_ENVIRONMENTS, PythonExtensions } from "../src/core/pythonExtensions";

type Listener = (change: unknown) => void;

/** An event like VS Code's, with a way to fire it. */
class FakeEvent {
  readonly listeners = new Set<Listener>();
  readonly event = (listener: Listener): { dispose(): void } => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(): void {
    for (const listener of this.listeners) listener({});
  }
}

function environmentsApi(byFolder: Record<string, string>, changed = new FakeEvent()): unknown {
  return {
    onDidChangeEnvironment: changed.event,
    getEnvironment: (folder: string) => {
      const executable = byFolder[folder];
      return Promise.resolve(executable && { displayName: `env of ${folder}`, execInfo: { run: { executable } } });
    },
  };
}

function pythonApi(path: string | undefined): unknown {
  const resolved = {
    executable: { uri: path === undefined ? undefined : { fsPath: path } },
    environment: { name: "venv" },
    version: { major: 3, minor: 12 },
  };
  return {
    environments: {
      onDidChangeActiveEnvironmentPath: new FakeEvent().event,
      getActiveEnvironmentPath: () => ({ id: "1", path: "whatever" }),
      resolveEnvironment: () => Promise.resolve(resolved),
    },
  };
}

function withExtensions(installed: Record<string, unknown>, changed = (): void => undefined): PythonExtensions<string> {
  return new PythonExtensions<string>((id) => Promise.resolve(installed[id]), changed);
}

test("without either extension nothing is selected", async () => {
  assert.equal(await withExtensions({}).selected("a"), undefined);
});

test("Python Environments gives each folder's own environment", async () => {
  const python = withExtensions({ [PYTHON_ENVIRONMENTS]: environmentsApi({ a: "/a/python", b: "/b/python" }) });
  assert.deepEqual(await python.selected("a"), { command: ["/a/python"], label: "env of a" });
  assert.deepEqual(await python.selected("b"), { command: ["/b/python"], label: "env of b" });
});

test("the older Python extension alone is enough", async () => {
  const python = withExtensions({ [PYTHON]: pythonApi("/old/python") });
  assert.deepEqual(await python.selected("a"), { command: ["/old/python"], label: "Python 3.12 (venv)" });
});

test("Python Environments is asked first, and the older one where it knows nothing", async () => {
  const python = withExtensions({
    [PYTHON_ENVIRONMENTS]: environmentsApi({ a: "/a/python" }),
    [PYTHON]: pythonApi("/old/python"),
  });
  assert.deepEqual((await python.selected("a"))?.command, ["/a/python"]);
  assert.deepEqual((await python.selected("b"))?.command, ["/old/python"]);
});

test("an extension that fails, answers nothing, or has another interface is as good as absent", async () => {
  const broken = (): Promise<unknown> => Promise.reject(new Error("not activated"));
  const failing = new PythonExtensions<string>(broken, () => undefined);
  const strange = withExtensions({ [PYTHON_ENVIRONMENTS]: { version: 99 }, [PYTHON]: {} });
  const empty = withExtensions({ [PYTHON]: pythonApi(undefined) });
  for (const python of [failing, strange, empty]) assert.equal(await python.selected("a"), undefined);
});

test("a change of the selection is told once, however often the selection was asked for", async () => {
  const changed = new FakeEvent();
  let told = 0;
  const python = withExtensions({ [PYTHON_ENVIRONMENTS]: environmentsApi({ a: "/a" }, changed) }, () => told++);
  await python.selected("a");
  await python.selected("a");
  changed.fire();
  assert.equal(told, 1);
  python.dispose();
  assert.equal(changed.listeners.size, 0);
});
