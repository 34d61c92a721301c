import { holdsDoubling } from "../../test/support/doubling.js";
import { chunkSections } from "./chunk.js";
import { maskSecrets } from "./code/mask-secrets.js";
import { parseCode } from "./code/parse-code.js";
import { parseHtml } from "./read/html.js";
import { parseMarkdown } from "./read/markdown.js";
import { parseText } from "./read/text.js";

const LIMITS = { tokensTarget: 200, overlapTokensMax: 40 };
/** Reading happens in processes of its own; beyond this a test takes too long. */
const charsMax = 16_000;

holdsDoubling("parseText and chunkSections", (text) => chunkSections(parseText(text), LIMITS), { charsMax });
holdsDoubling("parseMarkdown", parseMarkdown, { charsMax });
holdsDoubling("parseHtml", (text) => parseHtml(Buffer.from(text)), { charsMax });
holdsDoubling("parseCode", (text) => parseCode("a.ts", text), { charsMax });
holdsDoubling("maskSecrets", (text) => maskSecrets(text, true), { charsMax });
