/** Messages, status, versions and pages: what people read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Resolution } from "../src/core/discovery";
import { messageFor } from "../src/core/messages";
import { plainPage } from "../src/core/pathText";
import { lockDown } from "../src/core/reportPage";
import { describeStatus } from "../src/core/statusText";
import { compareVersions, parseVersion } from "../src/core/version";

const SERVER = { command: ["/rl"], version: "0.1.0", source: "PATH" as const, label: "/rl" };
const FOUND: Resolution = { kind: "found", server: SERVER, misses: [] };

test("a missing server is one message with the ways out", () => {
  const bare = messageFor("shop", { kind: "missing", misses: [] });
  assert.equal(bare?.text, 'reduction-lint is not installed where "shop" could find it.');
  assert.deepEqual(bare.buttons, ["Install privately", "Choose a path", "Show log"]);
  const interpreter = { command: ["/venv/bin/python"], label: "venv" };
  const withEnvironment = messageFor("shop", { kind: "missing", misses: [], interpreter });
  assert.ok(withEnvironment?.buttons.includes("Install into this environment"));
});

test("a wrong path setting is named with the reason", () => {
  const misses = [{ source: "setting" as const, where: "/opt/rl", reason: "spawn /opt/rl ENOENT" }];
  const message = messageFor("shop", { kind: "missing", misses });
  assert.match(message?.text ?? "", /reductionLint\.path is \/opt\/rl, and spawn \/opt\/rl ENOENT/);
});

test("one that is too old is told with both versions; nothing is said when all is well or switched off", () => {
  const old = messageFor("shop", { kind: "outdated", server: { ...SERVER, version: "0.0.1" }, misses: [] });
  assert.match(old?.text ?? "", /0\.0\.1.*too old.*0\.1\.0 or newer/);
  const quiet: Resolution[] = [FOUND, { kind: "disabled" }, { kind: "untrusted" }];
  for (const resolution of quiet) assert.equal(messageFor("shop", resolution), undefined);
});

test("the status tells version, origin, counts and whether it is busy", () => {
  const input = { resolution: FOUND, failed: false, busy: false, folder: "shop", errors: 1, others: 2 };
  const idle = describeStatus(input);
  assert.match(idle.text, /Reductions 3$/);
  assert.match(idle.tooltip, /reduction-lint 0\.1\.0.*\n\nFound by: PATH \(\/rl\)\n\nFindings: 1 error, 2 warnings/);
  assert.match(describeStatus({ ...input, busy: true }).text, /sync~spin/);
  assert.ok(describeStatus({ ...input, failed: true }).warn);
  assert.match(describeStatus({ ...input, resolution: { kind: "untrusted" } }).tooltip, /restricted mode/);
});

test("versions compare by number", () => {
  assert.equal(parseVersion("reduction-lint 0.10.0rc1\n"), "0.10.0rc1");
  assert.equal(parseVersion("ruff 0.9"), undefined);
  assert.ok(compareVersions("0.10.0", "0.9.9") > 0);
  assert.equal(compareVersions("1.0", "1"), 0);
  assert.ok(compareVersions("3.9", "3.10") < 0);
});

test("a page's links become places in the plain text", () => {
  const page = plainPage("## RL101 cut\n\n1. [a.py:3](file:///p/a.py#L3) **cut** here\n");
  assert.equal(page.text, "RL101 cut\n\n1. a.py:3 cut here\n");
  assert.deepEqual(page.links, [{ line: 2, from: 3, to: 9, target: "file:///p/a.py#L3" }]);
});

test("two links on one line keep their own columns", () => {
  const { links, text } = plainPage("[a](x:1) and [b](y:2)");
  assert.equal(text, "a and b");
  assert.deepEqual(
    links.map(({ from, to }) => text.slice(from, to)),
    ["a", "b"],
  );
});

test("the report may load nothing from outside", () => {
  const page = lockDown("<html><head><title>x</title></head></html>");
  assert.match(page, /<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'/);
  assert.match(lockDown("<p>no head</p>"), /^<meta/);
});
