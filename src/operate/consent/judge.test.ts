/** Each entry of the lists of every language does what its list is for, alone and beside a consent. */
import { describe, expect, it } from "vitest";
import { CHALLENGE_WORDS } from "../../locale/challenge.js";
import { listsOf, samplesOf, writtenGrammars } from "../../locale/commands/samples.test-util.js";
import { commands } from "../../routing/commands.js";
import { judgePlain, judgeReply, REPLY_CHARS_MAX } from "./judge.js";

const LANGUAGES = commands.grammars.map(({ language }) => language);

/** READBACK_TEST_LANGUAGES: the lists of these alone. For mutants, each of which is judged by them. */
const TESTED = process.env.READBACK_TEST_LANGUAGES?.split(",") ?? LANGUAGES;

const DENYING = ["stop", "never_mind", "no"];

describe.each(writtenGrammars.filter(({ language }) => TESTED.includes(language)))(
  "in $language",
  (grammar) => {
    const { language } = grammar;
    const lists = listsOf(grammar);
    const entries = (list: string) => [...new Set(lists[`consent_${list}`]!)];
    const [word] = CHALLENGE_WORDS.get(language)!;
    const own = { level: "plain", languages: [language] } as const;
    const [yes] = entries("yes");
    const phrase = `${entries("confirm")[0]} ${word}`;
    const judged = (texts: readonly string[], asked: Parameters<typeof judgeReply>[1]) =>
      texts.map((text) => [text, Object.values(judgeReply(text, asked)).join(" ")] as const);
    const all = (texts: readonly string[], verdict: string) => texts.map((text) => [text, verdict] as const);
    const each = { level: "plain", languages: LANGUAGES } as const;
    const challenged = { level: "challenge", challenge: word, languages: LANGUAGES } as const;

    it("takes each yes, in whatever other languages a consent counts", () => {
      const said = [...entries("yes"), ...entries("confirm")];
      expect(judged(said, own)).toEqual(all(said, "approved consent"));
      expect(judged(said, each)).toEqual(all(said, "approved consent"));
    });

    it("takes no yes where a word is asked for, and each phrase with the word", () => {
      const said = entries("yes");
      for (const text of said) expect(judgeReply(text, challenged).verdict, text).toBe("unclear");
      const phrases = CHALLENGE_WORDS.get(language)!.flatMap((challenge) =>
        entries("confirm").map((confirm) => ({ challenge, text: `${confirm} ${challenge}` })),
      );
      for (const { challenge, text } of phrases) {
        expect(judgeReply(text, { ...challenged, challenge }), text).toMatchObject({ verdict: "approved" });
        const other = word === challenge ? CHALLENGE_WORDS.get(language)![1] : word;
        const why = "other_word";
        expect(judgeReply(text, { ...challenged, challenge: other }), text).toEqual({
          verdict: "unclear",
          why,
        });
      }
    });

    it("takes courtesy and hesitation around it, and not for it", () => {
      const fillers = entries("filler");
      for (const text of fillers) expect(judgeReply(text, each).verdict, text).not.toBe("approved");
      const around = fillers.flatMap((text) => [`${text} ${yes}`, `${yes} ${text}`]);
      expect(judged(around, own)).toEqual(all(around, "approved consent"));
      const split = fillers.map((text) => `${entries("confirm")[0]} ${text} ${word}`);
      expect(judged(split, challenged)).toEqual(all(split, "approved consent"));
      const behind = fillers.map((text) => `${phrase} ${text}`);
      expect(judged(behind, challenged)).toEqual(all(behind, "approved consent"));
    });

    it("takes what decides nothing for neither", () => {
      const said = entries("undecided").flatMap((text) => [text, `${yes} ${text}`, `${phrase} ${text}`]);
      for (const text of said) expect(judgeReply(text, own).verdict, text).toBe("unclear");
      for (const text of said) expect(judgeReply(text, challenged).verdict, text).toBe("unclear");
    });

    it.each(["stop", "wait", "no"] as const)("takes each %s for a denial, wherever it stands", (list) => {
      const said = entries(list).flatMap((text) => [
        text,
        `${text} ${phrase}`,
        `${phrase} ${text}`,
        `${yes} ${text} ${yes}`,
      ]);
      for (const asked of [own, each, challenged])
        for (const text of said) expect(judgeReply(text, asked).verdict, text).toBe("denied");
      const stops = entries("stop");
      if (list === "stop") expect(judged(stops, challenged)).toEqual(all(stops, "denied stop"));
    });

    it("takes each command to stop, or to leave it, for a denial", () => {
      const denying = samplesOf(grammar, 2).filter(({ intent }) => DENYING.includes(intent));
      for (const { text } of denying) expect(judgeReply(text, each).verdict, text).toBe("denied");
    });

    it("takes a remark behind the phrase, unless it limits the consent, and a stop in it", () => {
      const remarks = entries("aside").map((text) => `${phrase} ${text} blix blox`);
      expect(judged(remarks, { ...own, ...challenged, languages: [language] })).toEqual(
        all(remarks, "approved consent"),
      );
      for (const text of remarks) expect(judgeReply(text, own).verdict, text).not.toBe("approved");
      for (const text of entries("aside")) {
        expect(judgeReply(text, challenged).verdict, text).not.toBe("approved");
        const before = `${text} ${phrase}`;
        expect(judgeReply(before, challenged).verdict, before).not.toBe("approved");
        const stopped = `${phrase} ${text} ${entries("stop")[0]}`;
        expect(judgeReply(stopped, challenged), stopped).toEqual({ verdict: "denied", why: "stop" });
      }
      for (const doubt of entries("doubt")) {
        const text = `${remarks[0]} ${doubt}`;
        expect(judgeReply(text, challenged).verdict, text).not.toBe("approved");
      }
    });
  },
);

describe("a yes with a condition, or to something else", () => {
  it.each([
    ["en", "yes if the belt is empty"],
    ["en", "go ahead once the line is clear"],
    ["de", "ja, aber Pumpe drei"],
    ["es", "sí, pero la bomba tres"],
    ["fr", "oui, mais la pompe trois"],
    ["pl", "tak, ale pompa trzy"],
    ["uk", "так, якщо там нікого немає"],
  ])("denies in %s: %s", (language, text) => {
    expect(judgeReply(text, { level: "plain", languages: [language] })).toMatchObject({
      ...{ verdict: "denied", why: "limited" },
    });
  });

  it("asks again where nothing of it consents", () => {
    const asked = { level: "plain", languages: ["en"] } as const;
    expect(judgeReply("what happens if the belt is empty", asked)).toEqual({
      verdict: "unclear",
      why: "unexplained",
    });
  });
});

describe("a question", () => {
  it.each([
    ["en", "What do I do before I climb?"],
    ["en", "okay, how many seconds does it take"],
    ["de", "Wie viele Sekunden dauert das?"],
    ["es", "¿Cuántos segundos son?"],
    ["fr", "Combien de secondes ça prend ?"],
    ["pl", "ile sekund to trwa"],
    ["uk", "скільки секунд це триває"],
  ])("denies nothing in %s: %s", (language, text) => {
    for (const languages of [[language], LANGUAGES])
      expect(judgeReply(text, { level: "plain", languages })).toMatchObject({
        ...{ verdict: "unclear", why: "unexplained" },
      });
  });

  it.each(["what, no", "how about not now", "why don't you wait", "what are you doing, stop"])(
    "denies where it says no: %s",
    (text) => {
      expect(judgeReply(text, { level: "plain", languages: ["en"] }).verdict).toBe("denied");
    },
  );

  it("is told from a denial that asks nothing", () => {
    const isQuestion = (text: string) => judgeReply(text, { level: "plain", languages: [] }).isQuestion;
    for (const text of [
      "How do I stop pump two?",
      "why is pump two not running",
      "how do I stop",
      "wie stoppe ich Pumpe zwei",
    ])
      expect(isQuestion(text), text).toBe(true);
    for (const text of ["what, no", "no", "stop it", "okay, wait, don't do that", "why not, no"])
      expect(isQuestion(text), text).toBeUndefined();
  });

  it("is no consent, whatever is in it", () => {
    for (const text of ["what yes", "how, go ahead", "which one, yes do it", "why, I do"])
      expect(judgeReply(text, { level: "plain", languages: LANGUAGES }).verdict, text).toBe("unclear");
  });
});

describe("a reply", () => {
  const plain = { level: "plain", languages: ["en"] } as const;
  it.each([
    ["", "nothing_said"],
    ["…", "nothing_said"],
    ["yes?", "unexplained"],
    ["yes 👎", "unexplained"],
    ["yes (not)", "no"],
    ["sí", "unexplained"],
    ["y\u200bes", "unexplained"],
    ["restart it when the crew has left", "unexplained"],
    ["yes ".repeat(REPLY_CHARS_MAX / 4 + 1), "too_long"],
  ])("%j is no consent: %s", (said, why) => {
    expect(judgeReply(said, plain).why).toBe(why);
  });

  it("is searched for a denial to its last word", () => {
    const long = "yes ".repeat(REPLY_CHARS_MAX / 4 - 1);
    expect(judgeReply(long, plain).verdict).toBe("approved");
    expect(judgeReply(`${long}yes `, plain).verdict).toBe("approved");
    expect(judgeReply(`${long}no`, plain)).toEqual({ verdict: "denied", why: "no" });
    expect(judgeReply(`${"yes ".repeat(5_000)}no`, plain).verdict).toBe("unclear");
  });

  it("is told to wait apart from a no, unless it says no as well", () => {
    for (const text of ["wait a moment", "yes wait", "hang on", "not yet"])
      expect(judgeReply(text, plain), text).toEqual({ verdict: "denied", why: "wait" });
    expect(judgeReply("hold on no", plain)).toEqual({ verdict: "denied", why: "no" });
  });

  it("denies where the whole of it is a command to stop, and not where such a word means something else", () => {
    expect(judgeReply("para", plain)).toEqual({ verdict: "denied", why: "stop" });
    expect(judgeReply("la bomba para la sala dos", plain).verdict).toBe("unclear");
  });

  it("never consents without a word where there has to be one, nor in a language that is none", () => {
    expect(judgeReply("yes", { level: "challenge", languages: ["en"] }).verdict).toBe("unclear");
    expect(judgeReply("confirm", { level: "challenge", languages: ["en"] }).verdict).toBe("unclear");
    expect(judgeReply("yes", { level: "plain", languages: ["xx"] }).verdict).toBe("unclear");
    expect(judgeReply("no", { level: "plain", languages: [] }).verdict).toBe("denied");
  });

  it("is neither a consent nor a denial where it is about another matter", () => {
    const judged = (text: string) => judgePlain(text, ["en"]);
    expect(["yes", "confirm", "no", "wait", "I'm not sure"].map(judged)).toEqual([
      ...["approved", "approved", "denied", "denied", "unclear"],
    ]);
    for (const text of ["", "restart it", "yes?", "yes ".repeat(REPLY_CHARS_MAX / 4 + 1)])
      expect(judged(text), text).toBeUndefined();
  });
});

describe("a reply that is near a consent", () => {
  const plain = { level: "plain", languages: ["en"] } as const;
  const worded = { level: "challenge", challenge: "tango", languages: ["en"] } as const;

  it("has no words besides a yes that are looked at, where it is undecided or a word is asked for", () => {
    expect(judgeReply("yes restart it", plain)).toEqual({
      ...{ verdict: "unclear", why: "unexplained", besides: "restart it" },
    });
    expect(judgeReply("yes no problem restart it", plain)).toEqual({ verdict: "unclear", why: "undecided" });
    const both = { ...plain, languages: ["de", "en", "uk"] };
    expect(judgeReply("yes restart it", both).besides).toBe("restart it");
    for (const text of ["confirm restart it", "confirm tango restart it"])
      expect(judgeReply(text, worded).besides, text).toBeUndefined();
  });

  it.each(["plain", "challenge", "second_person"] as const)("is none without the word, at %s", (level) => {
    const asked = { ...worded, level };
    for (const text of ["yes", "confirm", "go ahead"])
      expect(judgeReply(text, asked).verdict, text).toBe("unclear");
    expect(judgeReply("confirm tango", asked).verdict).toBe("approved");
  });

  it.each([
    ["no_challenge", ["yes", "yes restart it", "confirm", "confirm um", "confirm yes", "confirm confirm"]],
    ["other_word", ["confirm apple", "yes confirm apple", "confirm um apple"]],
  ])("lacks the word, and is told of it: %s", (why, said) => {
    for (const text of said) expect(judgeReply(text, worded), text).toEqual({ verdict: "unclear", why });
  });

  it("may be said again, as a whole where courtesy is between", () => {
    for (const more of ["tango", "confirm tango", "please yes", "yes confirm tango", "please confirm tango"])
      expect(judgeReply(`confirm tango ${more}`, worded).verdict, more).toBe("approved");
    expect(judgeReply("confirm um confirm tango", worded).verdict).toBe("approved");
    for (const more of ["please confirm", "please tango", "please confirm apple"])
      expect(judgeReply(`confirm tango ${more}`, worded).verdict, more).not.toBe("approved");
  });

  it("is no remark where there is nothing before it that is complete", () => {
    const spanish = { level: "challenge", challenge: "tango", languages: ["es"] } as const;
    expect(judgeReply("dile", spanish).verdict).toBe("unclear");
    for (const text of ["do not forget", "do not forget confirm tango", "would never confirm tango"])
      expect(judgeReply(text, worded), text).toEqual({ verdict: "denied", why: "no" });
    for (const text of ["do not forget", "yes do not forget", "never happened"])
      expect(judgeReply(text, plain), text).toEqual({ verdict: "denied", why: "no" });
    expect(judgeReply("blix confirm tango do not forget", worded).verdict).toBe("unclear");
  });

  it("has a remark of a few words behind it, without the word", () => {
    const remark = "tell him the cart is back";
    expect(judgeReply(`confirm tango ${remark}`, worded).verdict).toBe("approved");
    for (const more of ["tango", "at the far side of the hall over there"])
      expect(judgeReply(`confirm tango ${remark} ${more}`, worded).verdict, more).not.toBe("approved");
    for (const of of ["the red pump", "the blue one over there"])
      expect(judgeReply(`confirm tango ${of} ${remark}`, worded).verdict, of).toBe("unclear");
  });
});

it.each(["now", "right now"])(
  'takes no "%s" behind a consent for courtesy: it may have been a "no"',
  (now) => {
    const asked = { level: "challenge", challenge: "planet", languages: LANGUAGES } as const;
    expect(judgeReply("confirm planet", asked).verdict).toBe("approved");
    expect(judgeReply(`confirm planet ${now}`, asked).verdict).toBe("unclear");
    expect(judgeReply(`yes ${now}`, { level: "plain", languages: LANGUAGES }).verdict).toBe("unclear");
  },
);
