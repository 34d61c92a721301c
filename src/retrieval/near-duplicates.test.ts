import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Passage, PROSE } from "../domain/passage.js";
import { BANDS, bandsOf, collapseNearDuplicates, saysTheSame } from "./near-duplicates.js";

const RINSE =
  "Rinse the burned area under cool running water for at least 20 minutes. Remove rings and watches near the burn " +
  "before the skin begins to swell. Do not use ice, butter or ointment on the burn. Cover it loosely with a clean " +
  "film and call the first aider of the shift, who decides whether the injured person must be taken to hospital.";

/** `RINSE` with one place changed. */
const changed = (from: string | RegExp, to: string) => {
  const text = RINSE.replace(from, to);
  expect(text).not.toBe(RINSE);
  return text;
};

const shareBand = (a: string, b: string) => {
  const bands = new Set(bandsOf(a));
  return bandsOf(b).some((band) => bands.has(band));
};

describe("texts that say the same", () => {
  it.each([
    ["case", RINSE.toUpperCase()],
    ["white space", RINSE.replaceAll(" ", "\n ")],
    ["punctuation", RINSE.replaceAll(".", " –").replaceAll(",", "")],
    ["an ordinary word", changed("loosely", "gently")],
    ["a word dropped", changed("clean ", "")],
    ["a contraction", changed("Do not", "Don’t")],
    ["a space before the unit", changed("20 minutes", "20minutes")],
    ["words at the end", `${RINSE} Thank you.`],
  ])("up to %s", (_what, other) => {
    expect(saysTheSame(RINSE, other)).toBe(true);
    expect(saysTheSame(other, RINSE)).toBe(true);
    expect(shareBand(RINSE, other)).toBe(true);
  });

  it("compare exactly when they are short", () => {
    expect(saysTheSame("Wear gloves at all times here.", "wear GLOVES, at all times: here")).toBe(true);
    expect(saysTheSame("Wear gloves at all times here.", "Wear boots at all times here.")).toBe(false);
  });

  it("may be empty or without words", () => {
    expect(saysTheSame("", " … ")).toBe(true);
    expect(saysTheSame("", "word")).toBe(false);
    expect(bandsOf("")).toEqual(bandsOf(" – "));
  });
});

describe("texts that do not say the same", () => {
  it.each([
    ["a number", changed("20", "10")],
    ["a unit", changed("minutes", "seconds")],
    ["a number in words", changed("20 minutes", "twenty minutes")],
    ["a negation gone", changed("Do not use", "Use")],
    ["a negation more", changed("Remove", "Do not remove")],
    ["a modal", changed("must be", "may be")],
    ["an order", changed("before", "after")],
    ["an exception", changed("ice, butter", "ice except butter")],
    ["a name", changed("first aider", "Miller team")],
    ["an identifier", changed("clean film", "clean P-101 film")],
    ["an abbreviation in capitals", changed("clean film", "clean PVC film")],
    ["a comparator", changed("at least 20", "> 20")],
    [
      "a sentence of its own",
      `${RINSE} ${"The first aider keeps a list of names and dates of it. ".repeat(2)}`,
    ],
    ["a word of another script", changed("clean", "чистый")],
  ])("differ in %s", (_what, other) => {
    expect(saysTheSame(RINSE, other)).toBe(false);
    expect(saysTheSame(other, RINSE)).toBe(false);
  });

  const text = (place: string, writes = "writes") =>
    `The operator on duty ${writes} it into the log and tells the colleague of the following shift about it: ${place}. ` +
    "A copy goes to the office of the plant, where somebody reads it and puts it into the binder of the machine, so " +
    "that the mechanic knows of it at the yearly inspection.";
  it.each([
    ["1.5 bar", "15 bar"],
    ["-5 °C", "5 °C"],
    ["−5 °C", "5 °C"],
    ["5 °C", "5 °F"],
    ["5 °C", "5 K"],
    ["5 %", "5"],
    ["< 5 ppm", "> 5 ppm"],
    ["±2 mm", "2 mm"],
    ["10² Pa", "102 Pa"],
    ["1½ l", "11/2 l"],
    ["m² area", "m³ area"],
    ["5-10 s", "5 to 10 s"],
    ["valve A", "valve B"],
    ["valve V-1", "valve V-2"],
    ["allowed_users here", "allowed_groups here"],
    ["inlet 5 outlet 3", "inlet 3 outlet 5"],
    ["open it", "close it"],
    ["step 1 2", "step 2 1"],
    ["call Smith", "call Jones"],
    ["use registerEndpoint", "use registerendpoints"],
    ["darf nicht hinein", "darf hinein"],
    ["if !ready", "if ready"],
    ["$5", "€5"],
    ["10:30", "10:45"],
    ["不要 打开", "要 打开"],
  ])("such as %j and %j", (a, b) => {
    expect(saysTheSame(text(a), text(b))).toBe(false);
    expect(saysTheSame(text(a), text(a, "puts"))).toBe(true);
  });
});

const word = fc.constantFrom(
  ..."pump tank crew water shift oil paper house gauge hose label wall floor cable sensor filter belt rail".split(
    " ",
  ),
  ..."not must 5 12 bar P-101 before Smith < °C".split(" "),
);
const text = fc.array(word, { maxLength: 80 }).map((words) => words.join(" "));

describe("the comparison", () => {
  it("is symmetric, and true of a text and itself in any case and spacing", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(saysTheSame(a, b)).toBe(saysTheSame(b, a));
        expect(saysTheSame(a, `  ${a.toUpperCase().replaceAll(" ", "\n")}.`)).toBe(true);
        expect(bandsOf(a)).toEqual(bandsOf(` ${a.replaceAll(" ", "  ")} `));
      }),
    );
  });

  it("never passes over a number or a negation", () => {
    const fact = fc.constantFrom("not", "never", "7", "must", "0.5", "T-9");
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 200 }), fc.nat(), fact, (words, at, inserted) => {
        const other = words.toSpliced(at % (words.length + 1), 0, inserted);
        expect(saysTheSame(words.join(" "), other.join(" "))).toBe(false);
      }),
    );
  });
});

describe("bands", () => {
  it("are fixed for ever", () => {
    expect([...bandsOf("Wash your hands before work.")]).toMatchInlineSnapshot(`
      [
        227089258,
        3779480977,
        1921762979,
        2019692112,
        1638122562,
        1542777770,
        3095709790,
        3016929898,
      ]
    `);
  });

  it("are eight, and rarely shared by texts about different things", () => {
    expect(bandsOf(RINSE)).toHaveLength(BANDS);
    const others = Array.from({ length: 500 }, (_, i) =>
      Array.from({ length: 60 }, (_, j) => `w${(i * 7919 + j * 104729) % 997}`).join(" "),
    );
    expect(others.filter((other) => shareBand(RINSE, other))).toEqual([]);
  });
});

const passage = (chunkId: string, rest: Partial<Passage> = {}): Passage => ({
  chunkId,
  documentId: `doc-${chunkId}`,
  title: `Title ${chunkId}`,
  supersedes: [],
  sourceFile: `${chunkId}.md`,
  headings: [],
  position: 0,
  kind: PROSE,
  text: RINSE,
  highlights: [],
  score: 1,
  access: { network: "acme", visibility: "network", allowedUsers: [], allowedGroups: [] },
  alsoIn: [],
  ...rest,
});
const name = (chunkId: string) => ({ chunkId, documentId: `doc-${chunkId}`, title: `Title ${chunkId}` });

describe("collapseNearDuplicates", () => {
  it("keeps the better one and lists the others", () => {
    const passages = [
      passage("a"),
      passage("b", { text: "Something else." }),
      passage("c", { text: changed("loosely", "gently"), alsoIn: [name("z"), name("a")] }),
      passage("d"),
    ];
    const collapsed = collapseNearDuplicates(passages);
    expect(collapsed.map(({ chunkId }) => chunkId)).toEqual(["a", "b"]);
    expect(collapsed[0]!.alsoIn).toEqual([name("c"), name("z"), name("d")]);
    expect(collapsed[1]).toEqual(passages[1]);
  });

  it("loses no passage and doubles none", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        const collapsed = collapseNearDuplicates(texts.map((one, i) => passage(`p${i}`, { text: one })));
        const names = collapsed.flatMap(({ chunkId, alsoIn }) => [
          chunkId,
          ...alsoIn.map((one) => one.chunkId),
        ]);
        expect(names.sort()).toEqual(texts.map((_, i) => `p${i}`).sort());
        expect(collapseNearDuplicates(collapsed)).toEqual(collapsed);
      }),
    );
  });

  it("keeps passages apart whose headings turn them round", () => {
    const under = (...headings: string[]) => passage(headings.join(), { headings });
    expect(collapseNearDuplicates([under("Do"), under("Do not")])).toHaveLength(2);
    expect(collapseNearDuplicates([under("Pump 1"), under("Pump 2")])).toHaveLength(2);
    expect(collapseNearDuplicates([under("3.1 Burns"), under("4. Burns"), under("Scalds")])).toHaveLength(1);
  });

  it("takes source text literally", () => {
    const code = (chunkId: string, source: string) =>
      passage(chunkId, { text: source, kind: { docType: "code", blockType: "function", tags: [] } });
    expect(collapseNearDuplicates([code("a", "f(a, B)"), code("b", "f(a, b)")])).toHaveLength(2);
    expect(collapseNearDuplicates([code("a", "f(a,\n  b)"), code("b", "f(a, b)")])).toHaveLength(1);
    expect(collapseNearDuplicates([code("a", RINSE), passage("b")])).toHaveLength(2);
  });
});
