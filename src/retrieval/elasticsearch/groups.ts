/**
 * The groups of users from an Elasticsearch index with the keyword fields `network`, `username` and `groups`: one
 * document per user, or several whose groups add up.
 */
import type { User } from "../../domain/user.js";
import { type GroupDirectory, GroupsUnknown } from "../groups/port.js";
import { type ElasticsearchClient, ElasticsearchProblem } from "./client.js";

/** Documents of one user that are read; groups beyond them grant nothing. */
const DOCUMENTS_MAX = 100;

/** A question waits for this: long enough for a busy cluster, short enough for a turn. */
const GROUPS_TIMEOUT_MS = 2_000;

interface UserDocument {
  readonly network?: unknown;
  readonly username?: unknown;
  readonly groups?: unknown;
}

export class ElasticsearchGroups implements GroupDirectory {
  constructor(
    private readonly client: ElasticsearchClient,
    private readonly index: string,
  ) {}

  async groupsOf(user: User, signal: AbortSignal): Promise<readonly string[]> {
    const { network, username } = user;
    const request = {
      index: this.index,
      size: DOCUMENTS_MAX,
      allow_partial_search_results: false,
      _source: ["network", "username", "groups"],
      query: { bool: { filter: [{ term: { network } }, { term: { username } }] } },
    };
    try {
      const found = await this.client.call(
        "groups",
        (api, options) => api.search<UserDocument>(request, options),
        signal,
        { timeoutMs: GROUPS_TIMEOUT_MS, attemptsMax: 1 },
      );
      return found.hits.hits.flatMap(({ _source }) => grantedTo(user, _source));
    } catch (error) {
      if (!(error instanceof ElasticsearchProblem)) throw error;
      throw new GroupsUnknown(`The groups in the index ${this.index} cannot be read: ${error.message}`, {
        cause: error,
      });
    }
  }
}

/** A field that is mapped otherwise than exactly must not lend one user the groups of another. */
function grantedTo(user: User, document: UserDocument | undefined): readonly string[] {
  if (document?.network !== user.network || document.username !== user.username) return [];
  const groups = Array.isArray(document.groups) ? document.groups : [document.groups];
  return groups.filter((group) => typeof group === "string");
}
