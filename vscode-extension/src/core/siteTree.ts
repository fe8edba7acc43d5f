/** The Reductions view as data: which files and sites are shown under a filter. */
import { STATUSES, type Site } from "./report";

/** `statuses` empty means all; `text` is looked for in path, code, value, symbol and technique. */
export interface Filter {
  statuses: readonly string[];
  text: string;
}

export interface FileNode {
  path: string;
  uri: string;
  sites: Site[];
  violations: number;
}

export const NO_FILTER: Filter = { statuses: [], text: "" };

/** The files with sites that pass the filter; sorted by path, their sites by place. */
export function tree(sites: readonly Site[], filter: Filter): FileNode[] {
  const files = new Map<string, Site[]>();
  for (const site of sites) {
    if (!passes(site, filter)) continue;
    const known = files.get(site.path);
    if (known) known.push(site);
    else files.set(site.path, [site]);
  }
  return [...files]
    .map(([path, found]) => ({
      path,
      uri: found[0]?.uri ?? "",
      sites: found.sort(byPlace),
      violations: found.filter((site) => site.status === "violation").length,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** How many sites have each status: the known ones first, with zeros, then any others. */
export function countStatuses(sites: readonly Site[]): Map<string, number> {
  const counts = new Map<string, number>(STATUSES.map((status) => [status, 0]));
  for (const site of sites) counts.set(site.status, (counts.get(site.status) ?? 0) + 1);
  return counts;
}

/** The filter in words, for the view's description; empty when nothing is filtered. */
export function describeFilter(filter: Filter): string {
  return [filter.statuses.join(", "), filter.text && `"${filter.text}"`].filter(Boolean).join(" · ");
}

function passes(site: Site, filter: Filter): boolean {
  if (filter.statuses.length > 0 && !filter.statuses.includes(site.status)) return false;
  const wanted = filter.text.toLowerCase();
  return [site.path, site.code, site.value, site.symbol, site.technique].join("\n").toLowerCase().includes(wanted);
}

function byPlace(a: Site, b: Site): number {
  return (a.cell ?? 0) - (b.cell ?? 0) || a.start.line - b.start.line || a.start.column - b.start.column;
}
