// node scripts/size.mjs FILE: prints the size, and fails from 1 MB on.
import { statSync } from "node:fs";

const [file] = process.argv.slice(2);
const { size } = statSync(file);
console.log(`${file}: ${(size / 1024).toFixed(0)} KB`);
if (size >= 1_000_000) {
  console.error(`${file} has to stay under 1 MB`);
  process.exit(1);
}
