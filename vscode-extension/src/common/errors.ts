/** Something went wrong that one line explains; no stack is needed. */
export class ToolError extends Error {}

/** An error as one text for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
