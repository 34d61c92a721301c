/** Passages without what speaks to the assistant, taken one after the other so that others have their turn between. */
import type { Passage } from "../domain/passage.js";
import { trusted } from "../grounding/injection.js";
import { pause } from "../lib/pause.js";

export async function allTrusted(passages: readonly Passage[]): Promise<readonly Passage[]> {
  const clean: Passage[] = [];
  for (const passage of passages) {
    await pause();
    clean.push(trusted(passage));
  }
  return clean;
}
