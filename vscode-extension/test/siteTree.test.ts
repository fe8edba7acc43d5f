/** The Reductions view as data. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readInventory, readPage } from "../src/core/report";
import { countStatuses, describeFilter, NO_FILTER, tree } from "../src/core/siteTree";

function site(path: string, line: number, status: string, more: object = {}): object {
  const range = { start: { line, column: 1 }, end: { line, column: 9 } };
  const place = { path, uri: `file:///p/${path}#L${line}`, range, cell: null };
  return { ...place, status, code: "RL101", technique: "truncation", value: "self.messages", ...more };
}

const SITES = readInventory({
  sites: [
    site("b.py", 9, "violation"),
    site("b.py", 2, "captured", { value: "output" }),
    site("a.py", 5, "view", { technique: "compaction" }),
  ],
});

test("files are sorted by path, their sites by line, and violations are counted", () => {
  const files = tree(SITES, NO_FILTER);
  assert.deepEqual(
    files.map((file) => [file.path, file.uri, file.violations, file.sites.map((s) => s.start.line)]),
    [
      ["a.py", "file:///p/a.py", 0, [5]],
      ["b.py", "file:///p/b.py", 1, [2, 9]],
    ],
  );
});

test("a filter keeps sites by status and by text, and drops files without any", () => {
  assert.deepEqual(
    tree(SITES, { statuses: ["captured"], text: "" }).map((file) => file.path),
    ["b.py"],
  );
  assert.equal(tree(SITES, { statuses: [], text: "COMPACT" })[0]?.path, "a.py");
  assert.deepEqual(tree(SITES, { statuses: ["view"], text: "output" }), []);
  assert.equal(describeFilter({ statuses: ["view"], text: "out" }), 'view · "out"');
});

test("known statuses are always counted, unknown ones of a newer server too", () => {
  const counts = countStatuses(readInventory({ sites: [site("a.py", 1, "kept")] }));
  assert.equal(counts.get("violation"), 0);
  assert.equal(counts.get("kept"), 1);
});

test("what covers a site may be a text, several, or objects; half a site is left out", () => {
  const read = (coveredBy: unknown): string[] | undefined =>
    readInventory({ sites: [site("a.py", 1, "captured", { covered_by: coveredBy })] })[0]?.coveredBy;
  assert.deepEqual(read(null), []);
  assert.deepEqual(read("log.write"), ["log.write"]);
  assert.deepEqual(read([{ message: "written here" }, "x"]), ["written here", "x"]);
  assert.deepEqual(readInventory({ sites: [{ path: "a.py" }, null, 3] }), []);
  assert.deepEqual(readInventory("nonsense"), []);
});

test("an answer without a page is none", () => {
  assert.deepEqual(readPage({ title: "T", markdown: "# x" }), { title: "T", markdown: "# x" });
  assert.equal(readPage({ title: "T" }), undefined);
  assert.equal(readPage(null), undefined);
});
