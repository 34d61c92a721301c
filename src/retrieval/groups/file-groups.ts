/** The groups of users from a JSON file that is looked at again after a known delay: `{network: {user: [group, …]}}`. */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { User } from "../../domain/user.js";
import type { Clock } from "../../lib/clock.js";
import { type GroupDirectory, type GroupMembers, GroupsUnknown } from "./port.js";

const fileSchema = z.record(z.string(), z.record(z.string(), z.array(z.string())));

/** Own properties only are looked at: a user may be called `constructor`. */
type Groups = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

type FileSnapshot = { readonly atMs: number; readonly groups: Promise<Groups> };

export class FileGroups implements GroupDirectory, GroupMembers {
  #last: FileSnapshot | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly path: string,
    private readonly refreshMs: number,
  ) {}

  async groupsOf({ network, username }: User): Promise<readonly string[]> {
    return (await this.#groups()).get(network)?.get(username) ?? [];
  }

  async membersOf(group: string, network: string): Promise<readonly string[]> {
    const users = [...((await this.#groups()).get(network) ?? [])];
    return users.flatMap(([username, groups]) => (groups.includes(group) ? username : []));
  }

  /** A file that cannot be read is tried anew with the next question; what it said before does not count any more. */
  async #groups(): Promise<Groups> {
    const now = this.clock.monotonic();
    if (this.#last === undefined || now - this.#last.atMs >= this.refreshMs) {
      this.#last = { atMs: now, groups: readGroups(this.path) };
    }
    const current = this.#last;
    try {
      return await current.groups;
    } catch (error) {
      if (this.#last === current) this.#last = undefined;
      throw error;
    }
  }
}

/** What the file says now. Rejects with `GroupsUnknown`. */
export async function readGroups(path: string): Promise<Groups> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw unknown(path, (error as Error).message, error);
  }
  const checked = fileSchema.safeParse(value);
  if (!checked.success) {
    const { path: place, message } = checked.error.issues[0]!;
    throw unknown(path, `${place.map(String).join(" → ") || "the whole"}: ${message}`, checked.error);
  }
  const networks = Object.entries(checked.data);
  return new Map(networks.map(([network, users]) => [network, new Map(Object.entries(users))]));
}

function unknown(path: string, problem: string, cause: unknown): GroupsUnknown {
  const expected = 'Expected {"<network>": {"<user>": ["<group>", …]}}.';
  return new GroupsUnknown(`The groups in ${path} cannot be used: ${problem}. ${expected}`, { cause });
}
