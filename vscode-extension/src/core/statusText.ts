/** What the status bar says. */
import type { Resolution } from "./discovery";

export interface StatusInput {
  resolution: Resolution;
  failed: boolean;
  busy: boolean;
  folder: string;
  errors: number;
  others: number;
}

export interface StatusOutput {
  text: string;
  tooltip: string;
  warn: boolean;
}

export function describeStatus(input: StatusInput): StatusOutput {
  const { resolution, folder } = input;
  switch (resolution.kind) {
    case "disabled":
      return { text: "$(circle-slash) Reductions", tooltip: `reduction-lint is switched off for ${folder}`, warn: false };
    case "untrusted":
      return {
        text: "$(shield) Reductions",
        tooltip: `reduction-lint runs nothing in restricted mode. Trust the workspace to have ${folder} checked.`,
        warn: false,
      };
    case "missing":
      return { text: "$(warning) Reductions", tooltip: `reduction-lint was not found for ${folder}`, warn: true };
    case "outdated":
      return {
        text: "$(warning) Reductions",
        tooltip: `reduction-lint ${resolution.server.version} is too old for this extension`,
        warn: true,
      };
    case "found":
      return running(input, resolution);
  }
}

function running(input: StatusInput, resolution: Resolution & { kind: "found" }): StatusOutput {
  const { version, label, source } = resolution.server;
  if (input.failed) {
    return { text: "$(error) Reductions", tooltip: `reduction-lint ${version} did not start; the log says why`, warn: true };
  }
  const total = input.errors + input.others;
  const icon = input.busy ? "$(sync~spin)" : total > 0 ? "$(fold-down)" : "$(pass)";
  const lines = [
    `**reduction-lint ${version}** in ${input.folder}`,
    `Found by: ${source} (${label})`,
    `Findings: ${count(input.errors, "error")}, ${count(input.others, "warning")}`,
    input.busy ? "Reading the project …" : "Ready",
  ];
  return { text: `${icon} Reductions${total > 0 ? ` ${total}` : ""}`, tooltip: lines.join("\n\n"), warn: false };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
