/** Twice the text takes at most two and a half times as long, whatever the text: what a turn does before its answer. */
import { holdsDoubling } from "../../test/support/doubling.js";
import { RecordedEvents } from "../../test/support/events.js";
import { locales } from "../../test/support/locales.js";
import { lengthFailure } from "./admit.js";
import { turnLanguage } from "./language.js";
import { shortLines } from "./short-lines.js";

const user = { network: "acme", username: "ann" };
const line = (text: string) => ({ role: "user", text, sources: [] }) as const;

holdsDoubling("lengthFailure", (text) => lengthFailure(text));
holdsDoubling("turnLanguage", (text) => turnLanguage({ text, user }, [line(text)], locales), {
  charsMax: 4_000,
});
holdsDoubling("shortLines", (text) => shortLines([line(text)], user, new RecordedEvents()));
