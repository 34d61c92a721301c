/**
 * The documents that guides say, by the names that guides have for them: a path below the folder that was ingested, or an
 * id. Which documents have a name is looked up past the access rule; who may read them is told by the rule alone.
 */
import type { Access } from "../domain/user.js";
import type { ReadableDocuments } from "../guide/library/library.js";
import type { Guide } from "../guide/schema/guide.js";
import type { DocumentSummary, Inspector } from "../retrieval/inspector.js";
import type { Retrieval } from "../retrieval/port.js";

/** Networks whose names are kept; the one that was asked for longest ago makes room. */
const NETWORKS_MAX = 64;

type ByName = ReadonlyMap<string, readonly DocumentSummary[]>;

export class GuideDocuments {
  readonly #known = new Map<string, { readonly revision: string; readonly byName: Promise<ByName> }>();

  constructor(
    private readonly inspector: Pick<Inspector, "documents">,
    private readonly retrieval: Pick<Retrieval, "readable" | "revision">,
  ) {}

  /** Of several documents with one name all have to be readable. Rejects with `SearchUnavailable`. */
  readonly readable: ReadableDocuments = async (names, access: Access, signal) => {
    const byName = await this.#of(access.network, signal);
    const ids = names.flatMap((name) => byName.get(name)?.map(({ documentId }) => documentId) ?? []);
    const readable = await this.retrieval.readable(ids, access, signal);
    return new Set(
      names.filter((name) => byName.get(name)?.every(({ documentId }) => readable.has(documentId)) === true),
    );
  };

  /** Whether a document that the guide says has another revision by now. Rejects with `SearchUnavailable`. */
  async isOutdated({ steps }: Guide, network: string, signal: AbortSignal): Promise<boolean> {
    const byName = await this.#of(network, signal);
    return steps.some(({ source }) =>
      byName
        .get(source?.document ?? "")
        ?.some(
          ({ revision, supersededBy }) =>
            supersededBy !== undefined || (source?.revision ?? revision) !== revision,
        ),
    );
  }

  async #of(network: string, signal: AbortSignal): Promise<ByName> {
    const revision = await this.retrieval.revision(network, signal);
    const known = this.#known.get(network);
    if (known?.revision === revision) return known.byName;
    const byName = this.inspector.documents(network, signal).then(namesOf);
    this.#known.delete(network);
    this.#known.set(network, { revision, byName });
    byName.catch(() => this.#known.delete(network));
    const [oldest] = this.#known.keys();
    if (this.#known.size > NETWORKS_MAX) this.#known.delete(oldest!);
    return byName;
  }
}

function namesOf(documents: readonly DocumentSummary[]): ByName {
  const byName = new Map<string, DocumentSummary[]>();
  for (const document of documents)
    for (const name of new Set([document.documentId, document.sourceFile]))
      byName.set(name, [...(byName.get(name) ?? []), document]);
  return byName;
}
