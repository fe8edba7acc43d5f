// Compiles the unit tests and runs them. None of them needs VS Code: importing it fails here on purpose.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";

const names = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
rmSync("out", { recursive: true, force: true });
await build({
  entryPoints: names.map((name) => `test/${name}`),
  outdir: "out",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
});
const files = names.map((name) => `out/${name.replace(/\.ts$/, ".cjs")}`);
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit" });
process.exit(status ?? 1);
