/** The real machine: PATH and the private environment. */
import { delimiter, join } from "node:path";
import type { Machine } from "./discovery";
import { isExecutable } from "./files";
import { privateInterpreter } from "./privateEnvironment";
import type { Runner } from "./process";

export function machine(run: Runner, storage: string, environment: NodeJS.ProcessEnv = process.env): Machine {
  return {
    run,
    which: (program) => which(program, environment),
    privateInterpreter: () => privateInterpreter(storage),
  };
}

/** The first executable file of that name in the absolute folders of PATH. */
export async function which(program: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const windows = process.platform === "win32";
  const endings = windows ? (environment["PATHEXT"] ?? ".EXE").split(";") : [""];
  for (const folder of (environment["PATH"] ?? "").split(delimiter)) {
    if (!folder || !/^([/\\]|[A-Za-z]:)/.test(folder)) continue; // "." would be the project's own folder
    for (const ending of endings) {
      const path = join(folder, program + ending);
      if (await isExecutable(path)) return path;
    }
  }
  return undefined;
}
