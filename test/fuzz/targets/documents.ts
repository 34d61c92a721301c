/** Targets of what is ingested and found: chunks, front matter, manifest, highlights; and JSON as models write it. */
import { isDeepStrictEqual } from "node:util";
import { chunkSections } from "../../../src/ingest/chunk.js";
import { describeDocument } from "../../../src/ingest/front-matter.js";
import { ManifestProblem, parseManifest } from "../../../src/ingest/manifest.js";
import { DocumentProblem } from "../../../src/ingest/problem.js";
import { parseMarkdown } from "../../../src/ingest/read/markdown.js";
import { analyze } from "../../../src/lib/english-analyzer.js";
import { parseForgivingJson } from "../../../src/lib/forgiving-json.js";
import { FrontMatterError, parseFrontMatter } from "../../../src/lib/front-matter.js";
import { HIGHLIGHTS_MAX, highlights } from "../../../src/retrieval/embedded/highlights.js";
import { must, partsOf, SEPARATOR, type Target, throwsOnly } from "../target.js";

const LIMITS = { tokensTarget: 40, overlapTokensMax: 10 };

/** A sentence may end at a full stop of Chinese or Japanese, without a blank. */
const WORD_ENDS = /[\s。！？]+/;

export const chunking: Target = {
  name: "chunking",
  seeds: [
    "# Press 4\n\nLock it out. Wait.\n\n## Steps\n\n1. Switch off.\n2. Hang the padlock.\n   " +
      "- red\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x = 1;\n```\n\n> WARNING: hot",
    "Title\n=====\n\n* one\n* two\n\n<b>html</b> [link](http://x.example) ![i](a.png) `code` **bold**\n\n---\n\nlast",
  ],
  words: [
    "\n# ",
    "\n## ",
    "\n\n",
    "\n1. ",
    "\n- ",
    "\n  - ",
    "\n> ",
    "\n```\n",
    "| a |",
    "\n|---|\n",
    "**",
    "`",
    "[x](y)",
    "<div>",
    "WARNING: ",
    "\n---\n",
    "    ",
  ],
  charsMax: 1_500,
  check(input) {
    const sections = parseMarkdown(input);
    const chunks = chunkSections(sections, LIMITS);
    must(
      chunks.every(({ text }) => text.trim() !== ""),
      "a chunk is empty",
    );
    const kept = new Set(chunks.flatMap(({ text }) => text.split(WORD_ENDS)));
    const words = sections.flatMap(({ blocks }) => blocks.flatMap(({ text }) => text.split(WORD_ENDS)));
    // A word that is longer than a chunk is cut.
    const lost = words.find((word) => word.length < 30 && word !== "" && !kept.has(word));
    must(lost === undefined, `"${lost}" is in no chunk`);
  },
};

const ACCESS_WORDS = [
  "---\n",
  "title: ",
  "revision: ",
  "visibility: ",
  "network",
  "restricted",
  "allowed_users: ",
  "allowed_groups: ",
  "[ann, bob]",
  "\n- ",
  "\n  ",
  "|\n",
  ">\n",
  "&a ",
  "*a",
  "!!str ",
  "? ",
  "{a: b}",
  "#",
  "'",
  "path: ",
  "'**/*.md'",
  "<<: ",
  "\t",
  "\ufeff",
  "- path: '*'\n",
  "{",
  "}",
  "!",
  "[a-z]",
]; // prettier-ignore

export const frontMatter: Target = {
  name: "front-matter",
  seeds: [
    "---\ntitle: Press 4\nrevision: 1.10\nvisibility: restricted\nallowed_users: [ann]\n---\n# Text\n",
    "---\nallowed_groups:\n  - welders\n---\n",
  ],
  words: ACCESS_WORDS,
  charsMax: 600,
  check(input) {
    const read = throwsOnly(() => parseFrontMatter(input), FrontMatterError);
    if (read !== undefined) must(input.endsWith(read.body), "the text behind it is another one");
    const yaml = input.replace(/^---\n/, "").replace(/\n---\n[\s\S]*$/, "");
    const described = throwsOnly(
      () => describeDocument({ frontMatter: yaml, notes: [] }, undefined, "restricted"),
      DocumentProblem,
    );
    if (described === undefined || described.access.visibility !== "network") return;
    must(/network/.test(yaml), "the network may read what nobody released");
  },
};

export const manifest: Target = {
  name: "manifest",
  seeds: [
    "- path: '**/*.md'\n  visibility: network\n- path: hr/*\n  allowed_groups: [hr]\n  title: Hours\n",
    "- path: a.md\n  revision: '2026-03'\n",
  ],
  words: ACCESS_WORDS,
  charsMax: 600,
  check(input) {
    const rules = throwsOnly(() => parseManifest("manifest.yaml", input), ManifestProblem) ?? [];
    for (const { glob, line } of rules) {
      must(line >= 1, `an entry in line ${line}`);
      glob.matches("hr/a.md");
    }
  },
};

export const json: Target = {
  name: "json",
  seeds: ['{"route":"knowledge","reason":"a\nb\tc"}', '[1, -2.5e3, "\\u00e9", null, true, {"a": []}]'],
  words: [
    "{",
    "}",
    "[",
    "]",
    '"',
    ":",
    ",",
    "\\",
    "\\u0000",
    "\n",
    "null",
    "1e9",
    "```json\n",
    "\u0085",
    "\u2028",
  ],
  charsMax: 500,
  check(input) {
    const forgiven = throwsOnly(() => parseForgivingJson(input), SyntaxError);
    const strict = throwsOnly(() => JSON.parse(input) as unknown, SyntaxError);
    if (strict !== undefined) must(isDeepStrictEqual(forgiven, strict), "sound JSON means something else");
  },
};

export const marks: Target = {
  name: "highlights",
  seeds: [
    ["lock out press", "Press 4 is locked out first. Hang the padlock. The press stops."].join(SEPARATOR),
  ],
  words: ["press", "presses", "pressing", "padlock", "don't", "No. 4", ". ", "! ", "\n", "A-113", SEPARATOR],
  charsMax: 900,
  check(input) {
    const [query, text] = partsOf(input, 2) as [string, string];
    const found = highlights(text, new Map(analyze(query).map((term) => [term, 1])));
    must(found.length <= HIGHLIGHTS_MAX, `${found.length} highlights`);
    for (const sentence of found) must(text.includes(sentence), "a highlight is no part of the text");
  },
};
