/** What kind of text a chunk is, from the blocks that it holds. */
import { type ChunkKind, PROSE } from "../domain/passage.js";
import type { Block } from "./read/port.js";

/** A block, or a piece of one, with its size. */
export interface SizedBlock {
  readonly block: Block;
  readonly tokens: number;
}

/**
 * Source text says its kind itself. Of prose: a procedure where there is a step, since steps are read in their order; a
 * warning where there is nothing else; otherwise what most of it is.
 */
export function chunkKindOf(parts: readonly SizedBlock[]): ChunkKind {
  const code = parts.filter(({ block }) => block.type === "code");
  if (code.length > 0) return codeKind(code.map(({ block }) => block));
  const spec = (blockType: string): ChunkKind => ({ docType: "spec", blockType, tags: [] });
  if (parts.some(({ block }) => block.type === "step")) return spec("procedure");
  if (parts.every(({ block }) => isWarning(block))) return spec("warning");
  const tokensOf = (type: Block["type"]) =>
    parts.reduce((sum, { block, tokens }) => sum + (block.type === type ? tokens : 0), 0);
  const [rows, items, prose] = [tokensOf("row"), tokensOf("item"), tokensOf("prose")];
  if (rows > 0 && rows >= Math.max(items, prose)) return spec("table");
  return items > 0 && items >= prose ? spec("list") : PROSE;
}

function codeKind(blocks: readonly Block[]): ChunkKind {
  const kinds = blocks.map(({ kind }) => kind ?? CODE_EXAMPLE);
  return { ...kinds[0]!, tags: [...new Set(kinds.flatMap(({ tags }) => tags))].sort() };
}

/** A code block inside prose. */
const CODE_EXAMPLE: ChunkKind = { docType: "code_example", blockType: "code", tags: [] };

/** Prose that calls itself a warning: "Danger: …", "WARNING – …". Also in the languages closest to English. */
export function isWarning({ type, text }: Block): boolean {
  const word = type === "prose" ? NOTICE.exec(text) : null;
  if (word === null) return false;
  const isShouted = word[1] === word[1]!.toUpperCase();
  return isShouted || /^\s*(?:[:!.–—-]|\n|$)/.test(text.slice(word[0].length));
}

const NOTICE = new RegExp(
  `^[\\s⚠️*_]*(${[
    "warning|danger|caution|attention|important",
    "warnung|gefahr|vorsicht|achtung|wichtig",
    "avertissement|mise en garde|prudence",
    "advertencia|peligro|atención|precaución|importante",
    "avvertenza|pericolo|attenzione|cautela",
    "aviso|perigo|atenção|cuidado",
    "waarschuwing|gevaar|let op|voorzichtig|belangrijk",
    "ostrzeżenie|niebezpieczeństwo|uwaga|ważne",
  ].join("|")})(?![\\p{L}\\p{N}])`,
  "iu",
);
