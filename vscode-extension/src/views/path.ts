/** "Show path": why a place is or is not reported, as a document or a peek. */
import { Location, Position, Uri, commands, languages, window, type Diagnostic } from "vscode";
import { plainPage, type PlainPage } from "../core/pathText";
import { field, readPage } from "../core/report";
import type { ServerManager } from "../common/serverManager";
import { SOURCE } from "../common/status";
import { ToolError } from "../common/errors";
import type { Documents } from "./documents";
import type { Node } from "./reductions";

/** Where a path is asked for; lines start at 0. */
interface Asked {
  uri: Uri;
  line: number;
  /** The finding, where the server named one. */
  fingerprint?: string;
}

export class PathView {
  constructor(
    private readonly manager: ServerManager,
    private readonly documents: Documents,
  ) {}

  /** Opens the path as a document beside the code. */
  async show(argument: unknown): Promise<void> {
    const asked = askedFor(argument);
    const page = await this.page(asked);
    const file = asked.uri.path.split("/").pop() ?? "";
    await this.documents.showBeside(`Path at ${file}:${asked.line + 1}`, page);
  }

  /** Peeks at the steps in the editor. */
  async peek(argument: unknown): Promise<void> {
    const asked = askedFor(argument);
    const locations = (await this.page(asked)).links.flatMap(({ target }) => locationOf(target));
    if (locations.length === 0) throw new ToolError("Nothing on this line reduces context.");
    const { document } = await window.showTextDocument(asked.uri);
    const at = new Position(asked.line, document.lineAt(asked.line).firstNonWhitespaceCharacterIndex);
    await commands.executeCommand("editor.action.peekLocations", asked.uri, at, locations, "peek");
  }

  private async page({ uri, line, fingerprint }: Asked): Promise<PlainPage> {
    const client = this.manager.clientFor(uri);
    const named = fingerprint === undefined ? { line } : { fingerprint };
    const page = readPage(await client.execute("reductionLint.showTrace", { uri: uri.toString(), ...named }));
    return plainPage(page?.markdown ?? "Nothing is known about this place.\n");
  }
}

/** What the command was called with: from a quick fix or code lens, from the view, or nothing at all. */
function askedFor(argument: unknown): Asked {
  if (field(argument, "kind") === "site") {
    const { site } = argument as Node & { kind: "site" };
    return { uri: Uri.parse(site.uri), line: site.start.line - 1 };
  }
  const editor = window.activeTextEditor;
  const [given, line, fingerprint] = ["uri", "line", "fingerprint"].map((name) => field(argument, name));
  const uri = typeof given === "string" ? Uri.parse(given) : editor?.document.uri;
  if (!uri) throw new ToolError("Open a Python file and put the cursor on a finding.");
  if (typeof line === "number") return { uri, line };
  const cursor = editor?.document.uri.toString() === uri.toString() ? editor.selection.active.line : 0;
  const at = { uri, line: nearest(uri, cursor)?.range.start.line ?? cursor };
  return typeof fingerprint === "string" ? { ...at, fingerprint } : at;
}

/** The finding on a line, or the one whose range runs over it. */
export function nearest(uri: Uri, line: number): Diagnostic | undefined {
  const own = languages.getDiagnostics(uri).filter((diagnostic) => diagnostic.source === SOURCE);
  return own.find((d) => d.range.start.line === line) ?? own.find((d) => d.range.contains(new Position(line, 0)));
}

/** The place of a link; links to the web are none. */
function locationOf(target: string): Location[] {
  const uri = Uri.parse(target);
  const line = /^L(\d+)$/.exec(uri.fragment)?.[1];
  return line ? [new Location(uri.with({ fragment: "" }), new Position(Number(line) - 1, 0))] : [];
}
