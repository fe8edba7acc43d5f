/** The whole-project report, in a panel. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProgressLocation, ViewColumn, window } from "vscode";
import type { Runner } from "../core/process";
import { lockDown } from "../core/reportPage";
import { nameOf, type State } from "../common/serverManager";
import { runTool, settingsArguments } from "../common/tool";

/** Makes the report of a folder and shows it. */
export async function showReport(state: State | undefined, run: Runner): Promise<void> {
  const title = `Reductions: ${state ? nameOf(state.place) : ""}`;
  const page = await window.withProgress(
    { location: ProgressLocation.Notification, title: "reduction-lint: writing the report …" },
    () => make(state, run),
  );
  const panel = window.createWebviewPanel("reductionLint.report", title, ViewColumn.Active, {
    enableScripts: true, // the page's own, for sorting and filtering; see lockDown
    localResourceRoots: [],
  });
  panel.webview.html = lockDown(page);
}

async function make(state: State | undefined, run: Runner): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "reduction-lint-"));
  try {
    const file = join(folder, "report.html");
    await runTool(state, ["report", "--html", file, ...(state ? settingsArguments(state) : []), "."], run);
    return await readFile(file, "utf8");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
