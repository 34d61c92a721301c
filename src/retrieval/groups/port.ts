/** Which groups a user is in, where that is known apart from the command that brings a question. */
import type { User } from "../../domain/user.js";

export interface GroupDirectory {
  /**
   * The user's groups, as of at most the known delay ago. Rejects with `GroupsUnknown`, never "none": an access that
   * leaves groups out would call a document missing that the user may read.
   */
  groupsOf(user: User, signal: AbortSignal): Promise<readonly string[]>;
}

export interface GroupMembers {
  /** User names of a network who are in a group, as of now. Rejects with `GroupsUnknown`. */
  membersOf(group: string, network: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** The directory could not be asked; the message says why and what to do. */
export class GroupsUnknown extends Error {
  override readonly name = "GroupsUnknown";
}
