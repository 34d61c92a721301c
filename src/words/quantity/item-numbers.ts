/** Numbers that say where something stands and nothing else: of headings, of items of a list, of steps and figures. */
import { wordSet } from "../../lib/word-set.js";
import type { Token } from "../tokens.js";
import { isNumberWord, numeralAt } from "./numerals.js";
import { unitAt } from "./unit-at.js";

/** Index of the first token behind the number that a heading, a step or an item of a list begins with. */
export function listMarkerEnd(tokens: readonly Token[]): number {
  const [first, second, third] = tokens;
  if (first === undefined || second === undefined) return 0;
  const isClosed = /^[.)]$/.test(second.text) && second.start === first.end;
  if (first.kind === "number") return isClosed ? 2 : isOutline(tokens) ? 1 : 0;
  const isNumbered = second.kind === "number" || isNumberWord(second.lower);
  if (!isNumbered || !(first.lower === "step" || PARTS.has(first.lower))) return 0;
  if (/^[:.,–—-]$/.test(third?.text ?? "")) return 3;
  return first.lower === "step" ? 2 : 0;
}

/** What documents are made of, and what is numbered in them. */
const PARTS = wordSet(
  "figure fig table chapter section appendix annex part schritt abbildung tabelle kapitel abschnitt anhang teil paso " +
    "figura tabla capítulo sección anexo étape tableau chapitre annexe partie krok rysunek tabela rozdział załącznik " +
    "крок рисунок таблиця розділ додаток",
);

/** `5.2 Fault Reporting`: parts with points between them before a capital, and no amount of anything. */
function isOutline(tokens: readonly Token[]): boolean {
  const [number, word] = tokens;
  if (!/^\d{1,2}(?:\.\d{1,2})+$/.test(number!.text) || !/^\p{Lu}/u.test(word!.text)) return false;
  return word!.lower !== "uhr" && numeralAt(tokens, 0)?.next !== 2 && unitAt(tokens, 1) === undefined;
}

/** `see Figure 2`: whether the number at token `at` points to a picture, which is not heard. */
export function isReference(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return PICTURES.has((before?.text === "." ? tokens[at - 2] : before)?.lower ?? "");
}

const PICTURES = wordSet("figure figures fig figs abbildung abb figura rysunek rys рисунок рис");
