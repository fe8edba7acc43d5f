/** Every reduction site of a folder, as the running server sees it: unsaved edits count. */
import { readInventory, type Site } from "../core/report";
import type { State } from "./serverManager";

export async function inventory(state: State): Promise<Site[]> {
  return readInventory(await state.client?.execute("reductionLint.inventory"));
}
