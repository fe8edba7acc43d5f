/** What people are told when no server can be started, and the buttons that help. */
import type { Resolution } from "./discovery";
import { OLDEST_SERVER } from "./version";

export const INSTALL_PRIVATELY = "Install privately";
export const INSTALL_HERE = "Install into this environment";
export const CHOOSE_PATH = "Choose a path";
export const SHOW_LOG = "Show log";

export interface Message {
  text: string;
  buttons: string[];
}

/** The message for a folder without a server; undefined when there is nothing to say. */
export function messageFor(folder: string, resolution: Resolution): Message | undefined {
  if (resolution.kind === "missing") {
    const named = resolution.misses.find((miss) => miss.source === "setting");
    const text = named
      ? `reduction-lint cannot be started for "${folder}": reductionLint.path is ${named.where}, and ${named.reason}.`
      : `reduction-lint is not installed where "${folder}" could find it.`;
    return { text, buttons: buttons(resolution.interpreter !== undefined) };
  }
  if (resolution.kind === "outdated") {
    const { version, label } = resolution.server;
    return {
      text:
        `reduction-lint ${version} (${label}) is too old for this extension, ` +
        `which needs ${OLDEST_SERVER} or newer. "${folder}" is not checked.`,
      buttons: buttons(resolution.interpreter !== undefined),
    };
  }
  return undefined;
}

function buttons(hasInterpreter: boolean): string[] {
  return [INSTALL_PRIVATELY, ...(hasInterpreter ? [INSTALL_HERE] : []), CHOOSE_PATH, SHOW_LOG];
}

/** One line for the log on each place that was looked at, and the outcome. */
export function logLines(folder: string, resolution: Resolution): string[] {
  const misses = "misses" in resolution ? resolution.misses : [];
  const lines = misses.map((miss) => `${folder}: ${miss.source}: ${miss.where}: ${miss.reason}`);
  switch (resolution.kind) {
    case "found": {
      const { version, source, command } = resolution.server;
      return [...lines, `${folder}: reduction-lint ${version} from ${source}: ${command[0]}`];
    }
    case "untrusted":
      return [...lines, `${folder}: the workspace is not trusted, so nothing is run`];
    case "disabled":
      return [...lines, `${folder}: switched off by reductionLint.enable`];
    default:
      return [...lines, `${folder}: no usable reduction-lint`];
  }
}
