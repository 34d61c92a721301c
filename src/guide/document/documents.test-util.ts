/** Documents for tests, from Markdown. */
import { chunkSections } from "../../ingest/chunk.js";
import { parseMarkdown } from "../../ingest/read/markdown.js";
import type { GuideDocument } from "./passages.js";

const WHOLE_SECTIONS = { tokensTarget: 2_000, overlapTokensMax: 0 };

export function documentOfMarkdown(markdown: string, rest: Partial<GuideDocument> = {}): GuideDocument {
  const chunks = chunkSections(parseMarkdown(markdown), WHOLE_SECTIONS);
  return {
    documentId: "press-1",
    sourceFile: "press.md",
    title: "Press",
    revision: "2",
    access: { visibility: "network", allowedUsers: [], allowedGroups: [] },
    chunks: chunks.map(({ headings, text }, at) => ({ chunkId: `${at}`, headings, text })),
    ...rest,
  };
}
