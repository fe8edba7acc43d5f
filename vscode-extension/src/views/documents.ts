/** Read-only documents that the extension shows: paths of findings and rule texts. */
import {
  DocumentLink,
  EventEmitter,
  Range,
  Uri,
  ViewColumn,
  commands,
  languages,
  window,
  workspace,
  type Disposable,
  type DocumentLinkProvider,
  type TextDocument,
  type TextDocumentContentProvider,
} from "vscode";
import type { PlainPage } from "../core/pathText";

const SCHEME = "reduction-lint";

export class Documents implements TextDocumentContentProvider, DocumentLinkProvider, Disposable {
  private readonly pages = new Map<string, PlainPage>();
  private readonly changes = new EventEmitter<Uri>();
  readonly onDidChange = this.changes.event;
  private readonly disposables: { dispose(): unknown }[];

  constructor() {
    this.disposables = [
      this.changes,
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      languages.registerDocumentLinkProvider({ scheme: SCHEME }, this),
      workspace.onDidCloseTextDocument((document) => this.pages.delete(document.uri.toString())),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** Shows a page beside the code. */
  async showBeside(name: string, page: PlainPage): Promise<void> {
    const uri = this.write(name, page);
    await window.showTextDocument(uri, { viewColumn: ViewColumn.Beside, preserveFocus: true });
  }

  /** Shows Markdown as people read it. */
  async showMarkdown(name: string, text: string): Promise<void> {
    const uri = this.write(`${name}.md`, { text, links: [] });
    await commands.executeCommand("markdown.showPreviewToSide", uri);
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.pages.get(uri.toString())?.text ?? "This page is gone; ask for it again.\n";
  }

  provideDocumentLinks(document: TextDocument): DocumentLink[] {
    const links = this.pages.get(document.uri.toString())?.links ?? [];
    return links.map(({ line, from, to, target }) => new DocumentLink(new Range(line, from, line, to), Uri.parse(target)));
  }

  private write(name: string, page: PlainPage): Uri {
    const uri = Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.pages.set(uri.toString(), page);
    this.changes.fire(uri);
    return uri;
  }
}
