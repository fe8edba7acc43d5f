/** From reduction-lint's places to those of VS Code. */
import { NotebookRange, Position, Range, Uri, window, workspace, type NotebookDocument } from "vscode";
import type { Place } from "../core/report";

/** Columns of a place count code points; `lineText` turns them into the UTF-16 units of VS Code. */
export function rangeOf(place: Place, lineText: (line: number) => string | undefined): Range {
  const at = ({ line, column }: Place["start"]): Position => {
    const text = lineText(line - 1);
    const before = text === undefined ? undefined : Array.from(text).slice(0, column - 1).join("");
    return new Position(Math.max(line - 1, 0), Math.max(before?.length ?? column - 1, 0));
  };
  return new Range(at(place.start), at(place.end));
}

/** Shows the place and selects it; in a notebook, its cell. */
export async function reveal(place: Place): Promise<void> {
  const uri = Uri.parse(place.uri);
  if (place.cell !== null) {
    const notebook = await notebookOf(uri);
    const range = new NotebookRange(place.cell - 1, place.cell);
    await window.showNotebookDocument(notebook, { selections: [range] });
    return;
  }
  const document = await workspace.openTextDocument(uri);
  const lineText = (line: number): string | undefined =>
    line < document.lineCount ? document.lineAt(line).text : undefined;
  await window.showTextDocument(document, { selection: rangeOf(place, lineText) });
}

/** The notebook of a cell's URI, or of its own. */
export async function notebookOf(uri: Uri): Promise<NotebookDocument> {
  const open = workspace.notebookDocuments.find(
    (notebook) =>
      notebook.uri.path === uri.path || notebook.getCells().some((cell) => cell.document.uri.toString() === uri.toString()),
  );
  return open ?? workspace.openNotebookDocument(Uri.file(uri.fsPath));
}
