/** When servers are started and stopped, and that the queue keeps the order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Resolution } from "../src/core/discovery";
import { Supervisor, type Hooks } from "../src/core/restart";

function found(program: string): Resolution & { kind: "found" } {
  const server = { command: [program], version: "0.1.0", source: "PATH" as const, label: program };
  return { kind: "found", server, misses: [] };
}

/** A supervisor over a table of folders; `take` gives what happened since the last time. */
function setup(
  table: Map<string, Resolution>,
  hooks: Partial<Hooks<string>> = {},
): { supervisor: Supervisor<string>; take: () => string[] } {
  const events: string[] = [];
  const supervisor = new Supervisor<string>({
    folders: () => [...table.keys()],
    id: (folder) => folder,
    resolve: (folder) => Promise.resolve(table.get(folder) ?? { kind: "disabled" }),
    start: (folder, resolution) => {
      events.push(`start ${folder} ${resolution.server.label}`);
      const stop = (): Promise<void> => {
        events.push(`stop ${folder}`);
        return Promise.resolve();
      };
      return Promise.resolve({ stop });
    },
    changed: (folder, resolution, failure) => events.push(`${folder}: ${failure ? "failed" : resolution.kind}`),
    removed: (id) => events.push(`removed ${id}`),
    ...hooks,
  });
  return { supervisor, take: () => events.splice(0) };
}

const oneFolder = (): Map<string, Resolution> => new Map([["a", found("/one")]]);

test("a server is restarted only when the resolved one changes", async () => {
  const table = oneFolder();
  const { supervisor, take } = setup(table);
  await supervisor.refresh();
  assert.deepEqual(take(), ["start a /one", "a: found"]);
  await supervisor.refresh();
  assert.deepEqual(take(), []);
  table.set("a", found("/two"));
  await supervisor.refresh();
  assert.deepEqual(take(), ["stop a", "start a /two", "a: found"]);
});

test("a forced refresh restarts what is the same", async () => {
  const { supervisor, take } = setup(oneFolder());
  await supervisor.refresh();
  take();
  await supervisor.refresh(true);
  assert.deepEqual(take(), ["stop a", "start a /one", "a: found"]);
});

test("each folder has its own server, and only the changed one restarts", async () => {
  const table = oneFolder().set("b", found("/two"));
  const { supervisor, take } = setup(table);
  await supervisor.refresh();
  take();
  table.set("b", { kind: "missing", misses: [] });
  await supervisor.refresh();
  assert.deepEqual(take(), ["stop b", "b: missing"]);
});

test("the server of a closed folder is stopped", async () => {
  const table = oneFolder();
  const { supervisor, take } = setup(table);
  await supervisor.refresh();
  take();
  table.delete("a");
  await supervisor.refresh();
  assert.deepEqual(take(), ["stop a", "removed a"]);
});

test("requests that pile up are answered by one run, and a forced one among them counts", async () => {
  let resolved = 0;
  const { supervisor, take } = setup(oneFolder(), {
    resolve: () => {
      resolved++;
      return Promise.resolve(found("/one"));
    },
  });
  await supervisor.refresh();
  take();
  await Promise.all([supervisor.refresh(), supervisor.refresh(true), supervisor.refresh()]);
  assert.equal(resolved, 2);
  assert.deepEqual(take(), ["stop a", "start a /one", "a: found"]);
});

test("a request that comes during a start waits for it, so nothing is started twice at once", async () => {
  const table = oneFolder();
  const releases: (() => void)[] = [];
  let running = 0;
  const started: string[] = [];
  const { supervisor } = setup(table, {
    start: async (_, resolution) => {
      running++;
      assert.equal(running, 1);
      started.push(resolution.server.label);
      await new Promise<void>((resolve) => releases.push(resolve));
      const stop = (): Promise<void> => {
        running--;
        return Promise.resolve();
      };
      return { stop };
    },
  });
  const first = supervisor.refresh();
  await new Promise(setImmediate);
  table.set("a", found("/two"));
  const second = supervisor.refresh();
  await new Promise(setImmediate);
  assert.deepEqual(started, ["/one"]);
  releases[0]?.();
  await first;
  await new Promise(setImmediate);
  releases[1]?.();
  await second;
  assert.deepEqual(started, ["/one", "/two"]);
});

test("a start that fails is told and tried again at the next refresh", async () => {
  let attempts = 0;
  const { supervisor, take } = setup(oneFolder(), {
    start: () => {
      attempts++;
      return attempts === 1 ? Promise.reject(new Error("no")) : Promise.resolve({ stop: () => Promise.resolve() });
    },
  });
  await supervisor.refresh();
  assert.deepEqual(take(), ["a: failed"]);
  await supervisor.refresh();
  assert.deepEqual(take(), ["a: found"]);
});

test("a server that cannot be stopped does not keep the next one from starting", async () => {
  const table = oneFolder();
  const stop = (): Promise<void> => Promise.reject(new Error("gone"));
  const { supervisor, take } = setup(table, { start: () => Promise.resolve({ stop }) });
  await supervisor.refresh();
  table.set("a", found("/two"));
  await supervisor.refresh();
  assert.deepEqual(take(), ["a: found", "a: found"]);
});

test("after close everything is stopped and nothing starts any more", async () => {
  const { supervisor, take } = setup(oneFolder());
  await supervisor.refresh();
  take();
  await supervisor.close();
  await supervisor.refresh(true);
  assert.deepEqual(take(), ["stop a"]);
});
