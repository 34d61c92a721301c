/** Twice the text takes at most two and a half times as long, whatever a tool answers or a model calls. */
import { holdsDoubling } from "../../../test/support/doubling.js";
import { argumentsInWords } from "../../llm/compaction.js";
import { watched } from "./call-watch.js";
import { toldResult } from "./envelope.js";
import { factsOf } from "./fact-memory.js";

/** A model's reply is cut before its call is longer. */
const CALL_CHARS_MAX = 32_000;

const call = { id: "1.0", key: "read:{}", about: "p" };
const results = (text: string) => [text, { [text]: text }, [text, { text }], text.split(" "), `{"a":${text}`];

holdsDoubling("toldResult", (text) => results(text).map((data) => toldResult({ ok: true, data })));
holdsDoubling("factsOf", (text) => results(text).map((data) => factsOf(call, { ok: true, data }, 0)));
holdsDoubling("watched", (text) => watched("read", { text, [text]: [text] }, undefined, 0), {
  charsMax: CALL_CHARS_MAX,
});
holdsDoubling("argumentsInWords", (text) => argumentsInWords({ text, [text]: text }));
