/**
 * The groups of users from an Elasticsearch index with the keyword fields `network`, `username` and `groups`: one
 * document per user, or several whose groups add up.
 */
import type { User } from "../../domain/user.js";
import { type GroupDirectory, type GroupMembers, GroupsUnknown } from "../groups/port.js";
import { type ElasticsearchClient, ElasticsearchProblem } from "./client.js";

/** Documents of one user, or of one group, that are read; those beyond them count for nothing. */
const DOCUMENTS_MAX = 100;

/** A question waits for this: long enough for a busy cluster, short enough for a turn. */
const GROUPS_TIMEOUT_MS = 2_000;

interface UserDocument {
  readonly network?: unknown;
  readonly username?: unknown;
  readonly groups?: unknown;
}

/** A field has exactly this value. */
type Term = { readonly term: Readonly<Record<string, string>> };

export class ElasticsearchGroups implements GroupDirectory, GroupMembers {
  constructor(
    private readonly client: ElasticsearchClient,
    private readonly index: string,
  ) {}

  async groupsOf(user: User, signal: AbortSignal): Promise<readonly string[]> {
    const { network, username } = user;
    const found = await this.#found([{ term: { network } }, { term: { username } }], signal);
    return found.flatMap((document) => grantedTo(user, document));
  }

  async membersOf(group: string, network: string, signal: AbortSignal): Promise<readonly string[]> {
    const found = await this.#found([{ term: { network } }, { term: { groups: group } }], signal);
    const members = found.flatMap((document) => {
      const { username } = document;
      if (typeof username !== "string") return [];
      return grantedTo({ network, username }, document).includes(group) ? username : [];
    });
    return [...new Set(members)];
  }

  async #found(filter: readonly Term[], signal: AbortSignal): Promise<readonly UserDocument[]> {
    const request = {
      index: this.index,
      size: DOCUMENTS_MAX,
      allow_partial_search_results: false,
      _source: ["network", "username", "groups"],
      query: { bool: { filter: [...filter] } },
    };
    try {
      const found = await this.client.call(
        "groups",
        (api, options) => api.search<UserDocument>(request, options),
        signal,
        { timeoutMs: GROUPS_TIMEOUT_MS, attemptsMax: 1 },
      );
      return found.hits.hits.flatMap(({ _source }) => _source ?? []);
    } catch (error) {
      if (!(error instanceof ElasticsearchProblem)) throw error;
      throw new GroupsUnknown(`The groups in the index ${this.index} cannot be read: ${error.message}`, {
        cause: error,
      });
    }
  }
}

/** A field that is mapped otherwise than exactly must not lend one user the groups of another. */
function grantedTo(user: User, document: UserDocument): readonly string[] {
  if (document.network !== user.network || document.username !== user.username) return [];
  const groups = Array.isArray(document.groups) ? document.groups : [document.groups];
  return groups.filter((group) => typeof group === "string");
}
