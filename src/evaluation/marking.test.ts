import { describe, expect, it } from "vitest";
import { answerOf, failureOf, NOT_FOUND, reportOf } from "../../test/support/evaluation.js";
import type { AnswerKey, ExpectedAnswer } from "./data-set.js";
import { marked, marksOf, markText } from "./marking.js";

function expectedOf(rest: Partial<ExpectedAnswer>, key: Partial<AnswerKey> = {}): ExpectedAnswer {
  return {
    mustSay: [],
    mustNotSay: [],
    key: { answerable: true, partialOk: false, hurts: false, ...key },
    ...rest,
  };
}

const markOf = (expected: ExpectedAnswer, text: string, rest = {}) =>
  marked(expected, reportOf(answerOf(text, rest)))!;

describe("the mark of an answer", () => {
  const speed = expectedOf({ mustSay: [["121 metres", "121 m"]] });

  it("is right when every group is said in one of its wordings, on the screen or aloud", () => {
    expect(markOf(speed, "It is 121 m.").mark).toBe("right");
    expect(markOf(speed, "It is 121 yd.", { spoken: "One hundred twenty one metres." }).mark).toBe("right");
    expect(markOf(speed, "It is 1,121 m.").mark).toBe("wrong");
  });

  it("is nothing where the row does not say whether there is an answer", () => {
    expect(marked({ mustSay: [["a"]], mustNotSay: [] }, reportOf(NOT_FOUND))).toBeUndefined();
  });

  it("is wrong where something forbidden is said, but not inside of what has to be said", () => {
    const expected = expectedOf({ mustSay: [["do not open", "never open"]], mustNotSay: ["open", "hourly"] });
    expect(markOf(expected, "Do not open it.").mark).toBe("right");
    expect(markOf(expected, "Do not open it. You may open it later.")).toMatchObject({
      mark: "wrong",
      forbidden: ["open"],
    });
    expect(markOf(expected, "Never open it hourly.")).toMatchObject({ mark: "wrong", forbidden: ["hourly"] });
  });

  it("is wrong for a value that only holds part of the forbidden one", () => {
    const expected = expectedOf({ mustSay: [["months"]], mustNotSay: ["3 months"] });
    expect(markOf(expected, "About three months.").mark).toBe("wrong");
    expect(markOf(expected, "About 13 months.").mark).toBe("right");
  });

  it("is refused where there is an answer, and right where there is none", () => {
    const unanswerable = expectedOf({}, { answerable: false, hurts: true });
    expect(marked(speed, reportOf(NOT_FOUND))!.mark).toBe("refused");
    expect(marked(unanswerable, reportOf(NOT_FOUND))!).toMatchObject({ mark: "right", couldHurt: false });
    expect(markOf(unanswerable, "It is 5 m.")).toMatchObject({ mark: "wrong", couldHurt: true });
  });

  it("is right where a question without an answer gets the correction that the row takes", () => {
    const corrected = expectedOf({ mustSay: [["no lift"]] }, { answerable: false });
    expect(markOf(corrected, "There is no lift.").mark).toBe("right");
    expect(markOf(corrected, "The lift is on the left.").mark).toBe("wrong");
  });

  it("is failed when the turn did", () => {
    expect(marked(speed, failureOf("timeout"))!.mark).toBe("failed");
  });

  const list = { mustSay: [["gloves"], ["goggles"], ["apron"], ["boots"]], mustNotSay: ["hat"] };

  it("is wrong for half a list, and says that it was a part", () => {
    for (const partialOk of [false, true])
      expect(markOf(expectedOf(list, { partialOk }), "Gloves, goggles and boots.")).toMatchObject({
        mark: "wrong",
        partly: true,
        lacks: [["apron"]],
      });
  });

  it("is right for a part that is announced, where the row takes parts", () => {
    const whole = expectedOf(list);
    const part = expectedOf(list, { partialOk: true });
    const said = "There are four: gloves, goggles, an apron. Shall I go on?";
    expect(markOf(part, said)).toMatchObject({ mark: "right", partly: false });
    expect(markOf(whole, said)).toMatchObject({ mark: "wrong", partly: true });
    expect(markOf(part, "Gloves, goggles, apron.", { outcome: "partial" }).mark).toBe("right");
    expect(markOf(part, "There are four: gloves. Shall I go on?").mark).toBe("wrong");
    expect(markOf(part, "Gloves, goggles, apron, a hat. Shall I go on?").mark).toBe("wrong");
  });

  it("is right for a part that tells the number of items, where the row has it", () => {
    const counted = expectedOf(list, { partialOk: true, items: [4, 5] });
    expect(markOf(counted, "There are five: gloves, goggles, apron.").mark).toBe("right");
    expect(markOf(counted, "Gloves, goggles, apron. Shall I go on?").mark).toBe("wrong");
    expect(markOf(counted, "There are 3: gloves, goggles, apron.").mark).toBe("wrong");
  });

  it("could hurt only where it is wrong", () => {
    const expected = expectedOf(list, { hurts: true });
    expect(markOf(expected, "Gloves, goggles, apron, boots.").couldHurt).toBe(false);
    expect(markOf(expected, "Gloves.").couldHurt).toBe(true);
    expect(marked(expected, reportOf(NOT_FOUND))!.couldHurt).toBe(false);
  });

  it("is told with what was expected", () => {
    const expected = expectedOf(list);
    expect(markText(markOf(expected, "Gloves, a hat, goggles, boots."), expected)).toBe(
      'expected "gloves", "goggles", "apron", "boots"; wrong: it does not say "apron", it says "hat"',
    );
    const none = expectedOf({}, { answerable: false });
    expect(markText(markOf(none, "Yes."), none)).toBe("expected a refusal; wrong");
  });
});

describe("marks", () => {
  it("are counted by kind and by whether there is an answer", () => {
    const row = (category: string, expected: ExpectedAnswer, text: string | undefined) => ({
      category,
      answerable: expected.key!.answerable,
      marked: marked(expected, reportOf(text === undefined ? NOT_FOUND : answerOf(text)))!,
    });
    const fact = expectedOf({ mustSay: [["a"], ["b"]] }, { hurts: true });
    const none = expectedOf({}, { answerable: false });
    const marks = marksOf([
      row("fact", fact, "a b"),
      row("fact", fact, "a"),
      row("fact", fact, undefined),
      row("none", none, undefined),
      row("none", none, "a"),
    ]);
    expect(marks.kinds).toEqual([
      {
        kind: "fact",
        tally: { rows: 3, right: 1, wrong: 1, partly: 1, couldHurt: 1, refused: 1, failed: 0 },
      },
      {
        kind: "none",
        tally: { rows: 2, right: 1, wrong: 1, partly: 0, couldHurt: 0, refused: 0, failed: 0 },
      },
    ]);
    expect(marks.answerable).toEqual(marks.kinds[0]!.tally);
    expect(marks.unanswerable).toEqual(marks.kinds[1]!.tally);
    expect(marks.total).toMatchObject({ rows: 5, right: 2, wrong: 2, refused: 1 });
  });
});
