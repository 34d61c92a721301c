/** Options of commands that look through the eyes of a user: who, in which groups, at a kiosk or not. */
import type { Command } from "commander";
import type { Access } from "../domain/user.js";
import type { GroupSources } from "../turn/access.js";
import { names } from "./names.js";

export interface ReaderOptions {
  readonly network: string;
  readonly as: string;
  readonly groups?: readonly string[];
  readonly kiosk?: boolean;
}

export function withReader(command: Command): Command {
  return command
    .requiredOption("--as <user>", "the user through whose eyes")
    .option("--groups <names>", "groups that come with the user's messages, separated by commas", names)
    .option("--kiosk", "as a kiosk, which reads only what it is explicitly granted");
}

/** As a turn of this user would have it: groups of the command line, and of the directories that are configured. */
export async function accessOf(
  { network, as: username, groups = [], kiosk = false }: ReaderOptions,
  sources: GroupSources,
  signal: AbortSignal,
): Promise<Access> {
  const user = { network, username };
  const known = await Promise.all(sources.directories.map((directory) => directory.groupsOf(user, signal)));
  const claimed = sources.fromCommand ? groups : [];
  return { ...user, groups: [...new Set([...claimed, ...known.flat()])], kiosk };
}
