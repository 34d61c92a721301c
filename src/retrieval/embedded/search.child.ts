/** A process that searches: what its native part may take along is this process, and the call that it is answering. */
import { accessSync, constants, existsSync } from "node:fs";
import type { Passage } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import { serveProcessCalls } from "../../lib/call-process-child.js";
import type { LegRequest } from "../engine.js";
import type { DocumentDetail, DocumentSummary, InspectedChunk } from "../inspector.js";
import type { DocumentOutline, OutlineLimits } from "../port.js";
import { Library } from "./library.js";

export type SearchCalls = {
  /** Comes before every other call, once. */
  open: { input: { directory: string }; output: undefined };
  search: { input: LegRequest; output: readonly Passage[] };
  readable: { input: { documentIds: readonly string[]; access: Access }; output: readonly string[] };
  outline: { input: { access: Access; limits: OutlineLimits }; output: readonly DocumentOutline[] };
  contents: {
    input: { documentId: string; access: Access; passagesMax: number };
    output: readonly Passage[];
  };
  revision: { input: { network: string }; output: string };
  ready: { input: undefined; output: undefined };
  documents: { input: { network: string }; output: readonly DocumentSummary[] };
  document: { input: { network: string; documentId: string }; output: DocumentDetail | undefined };
  explain: { input: LegRequest; output: readonly InspectedChunk[] };
};

/** The revision of a network that has no file. */
const NO_INDEX = "none";

let directory = "";
let library = new Library(directory);

serveProcessCalls<SearchCalls>(
  {
    open: (input) => {
      directory = input.directory;
      library = new Library(directory);
      return undefined;
    },
    search: (request) => library.use(request.access.network, [], (index) => index.search(request)),
    readable: ({ documentIds, access }) =>
      library.use(access.network, [], (index) => index.readable(documentIds, access)),
    outline: ({ access, limits }) =>
      library.use(access.network, [], (index) => index.outline(access, limits)),
    contents: ({ documentId, access, passagesMax }) =>
      library.use(access.network, [], (index) => index.contents(documentId, access, passagesMax)),
    revision: ({ network }) => library.use(network, NO_INDEX, (index) => index.revision()),
    ready: () => {
      // Readers of a database in WAL mode write to its index file. Before the first ingest there is no folder.
      if (existsSync(directory)) accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
      return undefined;
    },
    documents: ({ network }) => library.use(network, [], (index) => index.documents()),
    document: ({ network, documentId }) =>
      library.use(network, undefined, (index) => index.document(documentId)),
    explain: (request) => library.use(request.access.network, [], (index) => index.explain(request)),
  },
  () => library.close(),
);
