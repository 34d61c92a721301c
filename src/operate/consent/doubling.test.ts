/** Twice the reply takes at most two and a half times as long, whatever it is. */
import { holdsDoubling } from "../../../test/support/doubling.js";
import { commands } from "../../routing/commands.js";
import { challengeFor } from "./challenge.js";
import { judgeReply, REPLY_CHARS_MAX } from "./judge.js";

const languages = commands.grammars.map(({ language }) => language);
const asked = { level: "challenge", challenge: "volcano", languages } as const;

holdsDoubling("judgeReply", (text) => judgeReply(text, asked), { charsMax: REPLY_CHARS_MAX });
holdsDoubling("a plain reply", (text) => judgeReply(text, { level: "plain", languages }), {
  charsMax: REPLY_CHARS_MAX,
});
holdsDoubling(
  "a reply that confirms again and again",
  (text) => judgeReply(`confirm um ${text} confirm volcano`, asked),
  { charsMax: REPLY_CHARS_MAX },
);
holdsDoubling(
  "challengeFor",
  (text) => challengeFor({ action: text, calls: [] as never }, "en", { fraction: () => 0, id: () => "" }),
  { charsMax: 16_000 },
);
