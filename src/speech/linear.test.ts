import { holdsDoubling } from "../../test/support/doubling.js";
import { clauseEnd, firstClauseEnd } from "./clause.js";
import { plainEnglish } from "./plain-english.js";
import { SentenceSplitter } from "./sentences.js";
import { speakable } from "./speakable.js";
import { normalized } from "./transcription/hallucinations.js";

function sentences(text: string): readonly string[] {
  const splitter = new SentenceSplitter();
  return [...splitter.push(text), ...splitter.flush()];
}

holdsDoubling("speakable", speakable);
holdsDoubling("plainEnglish", plainEnglish);
holdsDoubling("SentenceSplitter, all at once", sentences);
holdsDoubling("SentenceSplitter, word by word", (text) => {
  const splitter = new SentenceSplitter();
  for (const piece of text.match(/.{1,8}/gsu) ?? []) splitter.push(piece);
  return splitter.flush();
});
holdsDoubling("clauseEnd", clauseEnd);
holdsDoubling("firstClauseEnd", (text) => firstClauseEnd(`(${text}`));
holdsDoubling("normalized", normalized);
