/** Versions of reduction-lint and of Python, as far as the extension has to compare them. */

/** The oldest reduction-lint whose language server this extension can talk to. */
export const OLDEST_SERVER = "0.1.0";
/** The oldest Python that reduction-lint runs on. */
export const OLDEST_PYTHON = "3.10";

/** The version in what `reduction-lint --version` prints, or undefined when that is something else. */
export function parseVersion(output: string): string | undefined {
  return /^reduction-lint\s+v?(\d+(?:\.\d+)*\S*)/m.exec(output)?.[1];
}

/** Negative, zero or positive as `first` is older than, equal to or newer than `second`. Suffixes do not count. */
export function compareVersions(first: string, second: string): number {
  const [a, b] = [numbers(first), numbers(second)];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbers(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map(Number);
}
