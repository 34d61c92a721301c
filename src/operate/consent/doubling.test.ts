/** Twice the reply takes at most two and a half times as long, whatever it is, and is no consent. */
import { expect } from "vitest";
import { holdsDoubling } from "../../../test/support/doubling.js";
import { commands } from "../../routing/commands.js";
import { challengeFor } from "./challenge.js";
import { type AskedConsent, judgeReply, REPLY_CHARS_MAX } from "./judge.js";

const languages = commands.grammars.map(({ language }) => language);
const plain = { level: "plain", languages } as const;
const challenged = { level: "challenge", challenge: "volcano", languages } as const;

/** A reply is short, and quickly judged: so many times over it can be measured. */
const TIMES = 8;

function often(text: string, asked: AskedConsent): void {
  for (let i = 0; i < TIMES; i++) expect(judgeReply(text, asked).verdict).not.toBe("approved");
}

holdsDoubling("a reply to a challenge", (text) => often(text, challenged), { charsMax: REPLY_CHARS_MAX });
holdsDoubling("a plain reply", (text) => often(text, plain), { charsMax: REPLY_CHARS_MAX });
holdsDoubling(
  "a reply that confirms again and again",
  (text) => often(`confirm um ${text} confirm`, challenged),
  {
    charsMax: REPLY_CHARS_MAX,
  },
);
holdsDoubling(
  "a name that a challenge word may not be in",
  (text) => {
    const drawn = challengeFor(
      { action: text, calls: [] as never, language: "en" },
      {
        fraction: () => 0,
        id: () => "",
      },
    );
    expect(text.toLowerCase()).not.toContain(drawn);
  },
  { charsMax: 16_000 },
);
