/** The Reductions view in the Explorer: every place in the project that reduces context, by file. */
import {
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  commands,
  window,
  workspace,
  type Disposable,
  type TreeDataProvider,
  type TreeView,
} from "vscode";
import type { ServerManager, State } from "../common/serverManager";
import { inventory } from "../common/inventory";
import { text, type Site } from "../core/report";
import { countStatuses, describeFilter, NO_FILTER, tree, type FileNode, type Filter } from "../core/siteTree";

const SAVE_DELAY = 800;
const ICONS: Record<string, ThemeIcon | undefined> = {
  violation: new ThemeIcon("error", new ThemeColor("list.errorForeground")),
  captured: new ThemeIcon("pass", new ThemeColor("testing.iconPassed")),
  view: new ThemeIcon("eye"),
  "opt-in": new ThemeIcon("key"),
  excused: new ThemeIcon("comment"),
};

interface Listing {
  state: State;
  sites: Site[];
}

/** One line of the view. */
export type Node =
  | { kind: "folder"; listing: Listing; children: Node[] }
  | { kind: "file"; file: FileNode; children: Node[] }
  | { kind: "site"; site: Site };

export class ReductionsView implements TreeDataProvider<Node>, Disposable {
  private readonly changes = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changes.event;
  private readonly view: TreeView<Node>;
  private readonly disposables: { dispose(): unknown }[];
  private readonly parents = new Map<Node, Node | undefined>();
  private listings: Listing[] = [];
  private roots: Node[] = [];
  private filter: Filter = NO_FILTER;
  private stale = true;
  private loading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly manager: ServerManager,
    private readonly failed: (error: unknown) => void,
  ) {
    this.view = window.createTreeView("reductionLint.reductions", { treeDataProvider: this, showCollapseAll: true });
    this.disposables = [
      this.view,
      this.changes,
      this.view.onDidChangeVisibility(() => this.loadIfShown()),
      manager.onDidChange((state) => {
        if (!state?.client?.busy) this.outdate();
      }),
      workspace.onDidSaveTextDocument((document) => {
        if (/\.(py|ipynb|toml)$/.test(document.uri.path)) this.outdate();
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** Shows the view with the project listed anew, at the document whose `uri` is given, if any. */
  async show(argument?: unknown): Promise<void> {
    await commands.executeCommand("reductionLint.reductions.focus");
    await this.refresh();
    const uri = text(argument, "uri");
    const file = uri && [...this.parents.keys()].find((node) => node.kind === "file" && node.file.uri === uri);
    if (file) await this.view.reveal(file, { expand: true, select: true });
  }

  async refresh(): Promise<void> {
    this.stale = true;
    await this.load();
  }

  /** Asks for statuses and a text, and shows what fits. */
  async chooseFilter(): Promise<void> {
    const counts = countStatuses(this.listings.flatMap((listing) => listing.sites));
    const items = [...counts].map(([status, count]) => ({
      label: status,
      description: String(count),
      picked: this.filter.statuses.includes(status),
    }));
    const picked = await window.showQuickPick(items, {
      canPickMany: true,
      title: "Show reductions with these statuses (none: all)",
    });
    if (!picked) return;
    const text = await window.showInputBox({
      title: "And with this text in the file, code, value or technique (empty: all)",
      value: this.filter.text,
    });
    if (text === undefined) return;
    this.filter = { statuses: picked.map((item) => item.label), text };
    this.updated();
  }

  clearFilter(): void {
    this.filter = NO_FILTER;
    this.updated();
  }

  getChildren(node?: Node): Node[] {
    if (node) return node.kind === "site" ? [] : node.children;
    this.loadIfShown();
    return this.roots;
  }

  getParent(node: Node): Node | undefined {
    return this.parents.get(node);
  }

  getTreeItem(node: Node): TreeItem {
    if (node.kind === "folder") return folderItem(node.listing);
    if (node.kind === "file") return fileItem(node.file);
    return siteItem(node.site, node);
  }

  /** Makes the nodes anew; a single folder is not shown, only its files. */
  private grow(): void {
    this.parents.clear();
    const folders = this.listings.map((listing): Node & { kind: "folder" } => {
      const children = tree(listing.sites, this.filter).map((file): Node & { kind: "file" } => ({
        kind: "file",
        file,
        children: file.sites.map((site) => ({ kind: "site", site })),
      }));
      return { kind: "folder", listing, children };
    });
    const [only, ...others] = folders;
    this.roots = only && others.length === 0 ? only.children : folders;
    this.adopt(this.roots, undefined);
  }

  private adopt(nodes: readonly Node[], parent: Node | undefined): void {
    for (const node of nodes) {
      this.parents.set(node, parent);
      if (node.kind !== "site") this.adopt(node.children, node);
    }
  }

  private outdate(): void {
    this.stale = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.loadIfShown(), SAVE_DELAY);
  }

  private loadIfShown(): void {
    if (this.stale && this.view.visible) void this.load();
  }

  private load(): Promise<void> {
    this.loading ??= this.fetch().finally(() => {
      this.loading = undefined;
      if (this.stale && this.view.visible) void this.load();
    });
    return this.loading;
  }

  private async fetch(): Promise<void> {
    this.stale = false;
    const states = this.manager.all.filter((state) => state.client && state.place.folder);
    await window.withProgress({ location: { viewId: "reductionLint.reductions" } }, async () => {
      const found = await Promise.all(
        states.map(async (state) => {
          try {
            return [{ state, sites: await inventory(state) }];
          } catch (error) {
            this.failed(error);
            return [];
          }
        }),
      );
      this.listings = found.flat();
    });
    this.updated();
  }

  private updated(): void {
    const sites = this.listings.flatMap((listing) => listing.sites);
    const violations = countStatuses(sites).get("violation") ?? 0;
    this.view.badge = violations > 0 ? { value: violations, tooltip: `${violations} without a capture` } : undefined;
    this.view.description = describeFilter(this.filter);
    const filtered = this.view.description !== "";
    void commands.executeCommand("setContext", "reductionLint.filtered", filtered);
    void commands.executeCommand("setContext", "reductionLint.listed", this.listings.length > 0);
    this.grow();
    const shown = this.parents.size > this.listings.length;
    this.view.message = shown || this.listings.length === 0 ? undefined : empty(filtered);
    this.changes.fire(undefined);
  }
}

function empty(filtered: boolean): string {
  return filtered ? "Nothing passes the filter." : "Nothing in this project reduces context.";
}

function folderItem({ state, sites }: Listing): TreeItem {
  const item = new TreeItem(state.place.folder?.name ?? "", TreeItemCollapsibleState.Expanded);
  item.iconPath = ThemeIcon.Folder;
  item.description = String(sites.length);
  item.contextValue = "folder";
  return item;
}

function fileItem(file: FileNode): TreeItem {
  const item = new TreeItem(Uri.file(Uri.parse(file.uri).fsPath), TreeItemCollapsibleState.Expanded);
  item.iconPath = ThemeIcon.File;
  item.description = file.violations > 0 ? `${file.violations} of ${file.sites.length}` : String(file.sites.length);
  item.tooltip = `${file.path}: ${file.sites.length} reductions, ${file.violations} without a capture`;
  item.contextValue = "file";
  return item;
}

function siteItem(site: Site, node: Node): TreeItem {
  const item = new TreeItem(site.value || site.technique, TreeItemCollapsibleState.None);
  const where = site.cell === null ? `line ${site.start.line}` : `cell ${site.cell}, line ${site.start.line}`;
  const code = site.status === "violation" && site.code ? `${site.code} ` : "";
  item.description = `${code}${site.technique} · ${site.status} · ${where}`;
  item.iconPath = ICONS[site.status] ?? new ThemeIcon("circle-outline");
  item.tooltip = new MarkdownString(
    [`**${site.status}** · ${site.technique} in \`${site.symbol}\``, site.message, ...site.coveredBy].join("\n\n"),
  );
  item.contextValue = "site";
  item.accessibilityInformation = { label: `${site.value}, ${site.technique}, ${site.status}, ${where}` };
  item.command = { command: "reductionLint.openSite", title: "Go to the reduction", arguments: [node] };
  return item;
}
