/** What the server's commands answer, and careful readers of it. */

/** Lines and columns start at 1; columns count code points; the end is exclusive. */
export interface Place {
  path: string;
  /** The document, or notebook cell, without a fragment. */
  uri: string;
  /** The 1-based cell of a notebook, null elsewhere; lines count within it. */
  cell: number | null;
  start: Position;
  end: Position;
}

export interface Position {
  line: number;
  column: number;
}

/** The statuses that the contract names; a newer server may know more. */
export const STATUSES = ["violation", "captured", "view", "opt-in", "excused"] as const;

/** One reduction in the project. */
export interface Site extends Place {
  code: string;
  status: string;
  technique: string;
  value: string;
  symbol: string;
  message: string;
  coveredBy: string[];
}

/** A page that the server wrote. */
export interface Page {
  title: string;
  markdown: string;
}

/** The sites of an inventory, in its order; what does not look like one is left out. */
export function readInventory(data: unknown): Site[] {
  return list(field(data, "sites")).flatMap((site) => {
    const place = readPlace(site);
    if (!place) return [];
    return [
      {
        ...place,
        code: text(site, "code"),
        status: text(site, "status") || "violation",
        technique: text(site, "technique"),
        value: text(site, "value"),
        symbol: text(site, "symbol"),
        message: text(site, "message"),
        coveredBy: covers(field(site, "covered_by")),
      },
    ];
  });
}

/** The page in an answer; undefined when there is none. */
export function readPage(data: unknown): Page | undefined {
  const markdown = text(data, "markdown");
  return markdown ? { title: text(data, "title"), markdown } : undefined;
}

function readPlace(data: unknown): Place | undefined {
  const range = field(data, "range");
  const [start, end] = [readPosition(field(range, "start")), readPosition(field(range, "end"))];
  const [path, uri] = [text(data, "path"), text(data, "uri").replace(/#L\d+$/, "")];
  if (!path || !uri || !start || !end) return undefined;
  const cell = field(data, "cell");
  return { path, uri, cell: typeof cell === "number" ? cell : null, start, end };
}

function readPosition(data: unknown): Position | undefined {
  const [line, column] = [field(data, "line"), field(data, "column")];
  return typeof line === "number" && typeof column === "number" ? { line, column } : undefined;
}

/** What covers a site may be one text, several, or objects with a message and a place. */
function covers(data: unknown): string[] {
  if (typeof data === "string") return data ? [data] : [];
  return (Array.isArray(data) ? data : data ? [data] : []).map((part) =>
    typeof part === "string" ? part : text(part, "message") || JSON.stringify(part),
  );
}

export function field(data: unknown, name: string): unknown {
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>)[name] : undefined;
}

export function text(data: unknown, name: string): string {
  const value = field(data, name);
  return typeof value === "string" ? value : "";
}

export function list(data: unknown): unknown[] {
  return Array.isArray(data) ? data : [];
}
