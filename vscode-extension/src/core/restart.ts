/**
 * Keeps one running server per workspace folder in step with what was resolved for it. All work goes through one
 * queue, so that two changes never start or stop the same server at once. Nothing here knows VS Code.
 */
import { keyOf, type Resolution } from "./discovery";

/** A started server. */
export interface Running {
  stop(): Promise<void>;
}

export interface Hooks<Folder> {
  /** The folders that should be served now. */
  folders(): readonly Folder[];
  id(folder: Folder): string;
  resolve(folder: Folder): Promise<Resolution>;
  /** Starts the resolved server; a rejection counts as not started. */
  start(folder: Folder, resolution: Resolution & { kind: "found" }): Promise<Running>;
  /** Told once for each change of a folder's resolution, and for each failed start. */
  changed(folder: Folder, resolution: Resolution, failure?: unknown): void;
  removed(id: string): void;
}

interface Entry {
  key: string;
  running?: Running;
}

export class Supervisor<Folder> {
  private readonly entries = new Map<string, Entry>();
  private tail: Promise<void> = Promise.resolve();
  private waiting: { force: boolean; done: Promise<void> } | undefined;
  private closed = false;

  constructor(private readonly hooks: Hooks<Folder>) {}

  /**
   * Resolves all folders again and restarts those whose server changed, or all of them with `force`. Requests that
   * come while one is waiting are answered by that one. Settles when the work is done.
   */
  refresh(force = false): Promise<void> {
    if (this.waiting) {
      this.waiting.force ||= force;
      return this.waiting.done;
    }
    const request = { force, done: Promise.resolve() };
    request.done = this.enqueue(() => {
      this.waiting = undefined;
      return this.reconcile(request.force);
    });
    this.waiting = request;
    return request.done;
  }

  /** Stops everything; later requests do nothing. */
  close(): Promise<void> {
    this.closed = true;
    return this.enqueue(async () => {
      await Promise.all([...this.entries.values()].map((entry) => stop(entry)));
      this.entries.clear();
    });
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.tail.then(work);
    this.tail = done.catch(() => undefined);
    return done;
  }

  private async reconcile(force: boolean): Promise<void> {
    if (this.closed) return;
    const folders = this.hooks.folders();
    const wanted = new Set(folders.map((folder) => this.hooks.id(folder)));
    for (const [id, entry] of this.entries) {
      if (wanted.has(id)) continue;
      this.entries.delete(id);
      await stop(entry);
      this.hooks.removed(id);
    }
    await Promise.all(folders.map((folder) => this.settle(folder, force)));
  }

  private async settle(folder: Folder, force: boolean): Promise<void> {
    const id = this.hooks.id(folder);
    const before = this.entries.get(id);
    const resolution = await this.hooks.resolve(folder);
    const key = keyOf(resolution);
    if (this.closed || (before?.key === key && !force)) return;
    if (before) await stop(before);
    const entry: Entry = { key };
    this.entries.set(id, entry);
    if (resolution.kind !== "found") {
      this.hooks.changed(folder, resolution);
      return;
    }
    try {
      entry.running = await this.hooks.start(folder, resolution);
      this.hooks.changed(folder, resolution);
    } catch (error) {
      entry.key = "failed"; // the next refresh tries again
      this.hooks.changed(folder, resolution, error);
    }
  }
}

async function stop(entry: Entry): Promise<void> {
  const running = entry.running;
  entry.running = undefined;
  await running?.stop().catch(() => undefined); // one that is gone already is stopped
}
