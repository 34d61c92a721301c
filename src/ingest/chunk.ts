/**
 * Sections to chunks, the passages that search finds. A chunk stays within one section and holds whole blocks up to
 * the target; prose longer than that is cut between sentences, and whole sentences before the cut are said again behind
 * it. A step, a bullet or a table row is never cut, and the steps of a procedure stay together, with the warning and the
 * introduction before them, as long as they are no more than twice the target: half a procedure is a dangerous answer.
 * Source text is cut between lines only.
 */
import type { ChunkKind } from "../domain/passage.js";
import { chunkKindOf, isWarning, type SizedBlock } from "./chunk-kind.js";
import { countChunkTokens, cutLines, cutSentences } from "./cut-text.js";
import type { Block, Section } from "./read/port.js";

export interface Chunk {
  readonly headings: readonly string[];
  /** The page that its first block begins on, from 1. */
  readonly page?: number;
  readonly kind: ChunkKind;
  readonly text: string;
}

export interface ChunkLimits {
  /** Tokens of a chunk, about. */
  readonly tokensTarget: number;
  /** Tokens at the end of a chunk that the next one may repeat, where prose is cut. */
  readonly overlapTokensMax: number;
}

/** Every word of the sections is in a chunk, in order. No chunk is empty. Takes time in proportion to the text. */
export function chunkSections(sections: readonly Section[], limits: ChunkLimits): Chunk[] {
  return sections.flatMap(({ headings, blocks }) =>
    new SectionChunker(headings, limits).run(blocks.map(sized)),
  );
}

/** How many times the target a chunk with the steps of a procedure, or with one block of source text, may reach. */
export const WHOLE_TARGETS_MAX = 2;

/** A step, bullet or row beyond this, and beyond a whole procedure's size, is none, and is cut like prose. */
export const WHOLE_TOKENS_MAX = 2_000;

/** A block with its size in tokens. */
function sized(block: Block): SizedBlock {
  return { block, tokens: countChunkTokens(block.text) };
}

class SectionChunker {
  readonly #chunks: Chunk[] = [];
  #parts: SizedBlock[] = [];
  #text = "";
  #tokens = 0;

  constructor(
    private readonly headings: readonly string[],
    private readonly limits: ChunkLimits,
  ) {}

  run(parts: readonly SizedBlock[]): Chunk[] {
    let next = 0;
    for (const { start, end } of [
      ...procedures(parts, this.limits.tokensTarget),
      { start: parts.length, end: parts.length },
    ]) {
      for (; next < start; next++) this.#addBlock(parts[next]!, parts[next + 1]);
      this.#addProcedure(parts.slice(start, end));
      next = end;
    }
    this.#close();
    return this.#chunks;
  }

  get #tokensMax(): number {
    return this.limits.tokensTarget * WHOLE_TARGETS_MAX;
  }

  /**
   * Steps with what introduces them: all together if they fit; else the steps together, but not without their warning;
   * else cut between steps.
   */
  #addProcedure(parts: readonly SizedBlock[]): void {
    if (this.#holdsCode()) this.#close();
    const firstStep = parts.findIndex(({ block }) => block.type === "step");
    const introduction = parts.slice(0, firstStep);
    const steps = sumOf(parts.slice(firstStep));
    const all = sumOf(introduction) + steps;
    const staysWhole = steps <= this.#tokensMax && !introduction.some(({ block }) => isWarning(block));
    if (all <= this.#tokensMax) this.#makeRoom(all, this.#tokensMax);
    else if (!staysWhole) this.#makeRoom(sumOf(parts.slice(0, firstStep + 1)), this.#tokensMax);
    for (const part of introduction) this.#addWhole(part, this.#tokensMax);
    if (all > this.#tokensMax && staysWhole) this.#makeRoom(steps, this.#tokensMax);
    for (const part of parts.slice(firstStep)) this.#addWhole(part, this.#tokensMax);
  }

  #addBlock(part: SizedBlock, following: SizedBlock | undefined): void {
    const { block, tokens } = part;
    const { tokensTarget } = this.limits;
    if (block.type === "code") return this.#addCode(part);
    if (this.#holdsCode()) this.#close();
    if (following !== undefined && leadsIn(part)) this.#leadIn(tokens, following);
    if (block.type === "prose" && tokens > tokensTarget) this.#addSentences(block);
    else this.#addWhole(part, tokensTarget);
  }

  /** What ends in a colon, and a warning, go into the chunk of what follows, if that is possible. */
  #leadIn(tokens: number, following: SizedBlock): void {
    if (following.block.type === "code") this.#close();
    else if (tokens + following.tokens <= this.limits.tokensTarget)
      this.#makeRoom(tokens + following.tokens, this.limits.tokensTarget);
  }

  /**
   * Source text has chunks of its own, but for the line that leads to it. Small blocks of one kind, such as settings,
   * share one.
   */
  #addCode({ block, tokens }: SizedBlock): void {
    const { tokensTarget } = this.limits;
    const last = this.#parts.at(-1);
    const fits =
      last !== undefined && (last.block.type === "code" ? isSameKind(last.block, block) : leadsIn(last));
    if (!fits) this.#close();
    if (tokens <= this.#tokensMax) {
      return this.#addWhole({ block, tokens }, this.#holdsCode() ? tokensTarget : this.#tokensMax);
    }
    if (this.#holdsCode() || this.#tokens > tokensTarget) this.#close();
    cutLines(block.text, this.#tokensMax - this.#tokens).forEach((text, index) => {
      if (index > 0) this.#close();
      this.#addWhole(sized({ ...block, text }), this.#tokensMax);
    });
  }

  #holdsCode(): boolean {
    return this.#parts.some(({ block }) => block.type === "code");
  }

  /** Adds what stays whole, in a new chunk when this one would grow beyond `tokensMax`. */
  #addWhole(part: SizedBlock, tokensMax: number): void {
    const { block, tokens } = part;
    if (block.type !== "code" && tokens > Math.max(WHOLE_TOKENS_MAX, this.#tokensMax))
      return this.#addSentences(block);
    this.#makeRoom(tokens, tokensMax);
    this.#append(this.#separatorBefore(block), part);
  }

  #addSentences(block: Block): void {
    const { tokensTarget, overlapTokensMax } = this.limits;
    const sentences = cutSentences(block.text, tokensTarget).map((text) => sized({ ...block, text }));
    sentences.forEach((sentence, index) => {
      const isCut = index > 0 && this.#tokens + sentence.tokens > tokensTarget;
      this.#makeRoom(sentence.tokens, tokensTarget);
      if (isCut) {
        const roomMax = Math.min(overlapTokensMax, tokensTarget - sentence.tokens);
        for (const repeated of lastWithin(sentences, index, roomMax)) this.#append("", repeated);
      }
      this.#append(index === 0 ? this.#separatorBefore(block) : "", sentence);
    });
  }

  #separatorBefore({ type }: Block): string {
    const last = this.#parts.at(-1)?.block.type;
    const areLines = (one: Block["type"] | undefined) => one === "step" || one === "item" || one === "row";
    return areLines(type) && areLines(last) ? "\n" : "\n\n";
  }

  #append(separator: string, part: SizedBlock): void {
    this.#text += this.#parts.length === 0 ? part.block.text : separator + part.block.text;
    this.#tokens += part.tokens;
    this.#parts.push(part);
  }

  /** Starts a new chunk when so many tokens do not fit into this one. */
  #makeRoom(tokens: number, tokensMax: number): void {
    if (this.#tokens + tokens > tokensMax) this.#close();
  }

  #close(): void {
    const text = this.#text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
    const [first] = this.#parts;
    if (first !== undefined && text.trim() !== "") {
      const { page } = first.block;
      this.#chunks.push({
        headings: this.headings,
        ...(page === undefined ? {} : { page }),
        kind: chunkKindOf(this.#parts),
        text: first.block.type === "code" ? text : text.trimStart(),
      });
    }
    this.#parts = [];
    this.#text = "";
    this.#tokens = 0;
  }
}

interface Range {
  readonly start: number;
  /** After the last. */
  readonly end: number;
}

/**
 * Steps in a row, with warnings between them, and the warnings and the one paragraph directly before them, as far as
 * those are not longer than the target.
 */
function procedures(parts: readonly SizedBlock[], tokensTarget: number): Range[] {
  const found: Range[] = [];
  const isStep = (index: number) => parts[index]?.block.type === "step";
  for (let index = 0; index < parts.length; index++) {
    if (!isStep(index)) continue;
    const start = introductionStart(parts, index, found.at(-1)?.end ?? 0, tokensTarget);
    let end = index + 1;
    while (isStep(end) || (isStep(end + 1) && isWarning(parts[end]!.block))) end += 1;
    found.push({ start, end });
    index = end - 1;
  }
  return found;
}

function introductionStart(
  parts: readonly SizedBlock[],
  firstStep: number,
  earliest: number,
  tokensTarget: number,
): number {
  let start = firstStep;
  let tokens = 0;
  let paragraphs = 0;
  for (let index = firstStep - 1; index >= earliest; index--) {
    const { block, tokens: blockTokens } = parts[index]!;
    if (block.type !== "prose") break;
    if (!isWarning(block)) paragraphs += 1;
    tokens += blockTokens;
    if (paragraphs > 1 || tokens > tokensTarget) break;
    start = index;
  }
  return start;
}

/** Whether something has no meaning without what follows it. */
function leadsIn({ block }: SizedBlock): boolean {
  return (
    block.type === "prose" && (/[:：]\s*$/.test(block.text.slice(-LEAD_IN_END_CHARS)) || isWarning(block))
  );
}

/** A colon and the white space behind it. */
const LEAD_IN_END_CHARS = 8;

function isSameKind(a: Block, b: Block): boolean {
  return a.kind !== undefined && a.kind.docType === b.kind?.docType && a.kind.blockType === b.kind.blockType;
}

/** The last sentences before `end` that have no more than `tokensMax` together, in order. */
function lastWithin(sentences: readonly SizedBlock[], end: number, tokensMax: number): readonly SizedBlock[] {
  let start = end;
  let tokens = 0;
  while (start > 0 && tokens + sentences[start - 1]!.tokens <= tokensMax) {
    start -= 1;
    tokens += sentences[start]!.tokens;
  }
  return sentences.slice(start, end);
}

function sumOf(parts: readonly SizedBlock[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}
