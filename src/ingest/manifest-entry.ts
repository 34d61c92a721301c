/** What a source's manifest says of one document, for those that cannot say it themselves. */
import type { Visibility } from "../domain/passage.js";

export interface ManifestEntry {
  readonly title?: string;
  readonly revision?: string;
  readonly visibility?: Visibility;
  readonly allowedUsers?: readonly string[];
  readonly allowedGroups?: readonly string[];
}
