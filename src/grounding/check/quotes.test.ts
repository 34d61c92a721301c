import { describe, expect, it } from "vitest";
import { atOnce } from "../../lib/steps.js";
import { prepareEvidence } from "../evidence.js";
import { quotedInSteps } from "./quotes.js";

const TEXT =
  "1. Close the air valve – at the infeed –\n   and put the second lock on it.\n2. Wait 8 " +
  "minutes for the “drives” to run down.\n\nNobody may remove the lock unless the shift " +
  "leader agrees. The tank holds 18 litres.";
const evidence = prepareEvidence([{ type: "passage", source: "lock", title: "Lockout", text: TEXT }]);
const context = { question: "How do I lock out the line?", said: [] };

const check = (text: string, quote: string, source = "lock") =>
  atOnce(quotedInSteps({ text, source, quote }, evidence, context));

describe("a quote that stands in its source", () => {
  it.each([
    ["Wait 8 minutes for the drives to run down.", 'Wait 8 minutes for the "drives" to run down.'],
    [
      "Close the air valve at the infeed.",
      "close the air valve - at the infeed - and put the second lock on it",
    ],
    ["Wait 480 seconds for the drives to run down.", "Wait 8 minutes for the “drives” to run down"],
  ])("supports %j", (text, quote) => {
    const result = check(text, quote);
    expect(result).toMatchObject({ verdict: "supported", reasons: [] });
    const [support] = result.evidence;
    expect(TEXT.slice(support!.start, support!.end)).toBe(support!.value);
  });

  it("gives the step that it is of", () => {
    expect(check("Wait 8 minutes.", "Wait 8 minutes").evidence).toMatchObject([
      { step: 2, value: "Wait 8 minutes" },
    ]);
  });

  it("does not support a claim that differs from it", () => {
    expect(check("Wait 3 minutes for the drives to run down.", "Wait 8 minutes")).toMatchObject({
      verdict: "contradicted",
      reasons: [{ code: "number_differs" }],
    });
  });

  it("does not support a claim that rests on other words than those quoted", () => {
    expect(check("The tank holds 18 litres.", "Wait 8 minutes").verdict).not.toBe("supported");
  });

  it("does not hide what the rest of its sentence says", () => {
    expect(check("Nobody may remove the lock.", "Nobody may remove the lock").verdict).toBe("supported");
    expect(check("You may remove the lock.", "may remove the lock").verdict).not.toBe("supported");
  });

  it("supports no claim in another language, whatever its figures", () => {
    expect(check("Espere 8 minutos hasta que se paren los motores.", "Wait 8 minutes")).toMatchObject({
      verdict: "unsupported",
      reasons: [{ code: "other_language" }],
    });
    expect(check("Espere 3 minutos hasta que se paren los motores.", "Wait 8 minutes").verdict).not.toBe(
      "supported",
    );
  });
});

describe("a quote that does not", () => {
  it.each([
    ["Wait 3 minutes for the drives to run down.", "lock"],
    ["wait 8 Minutes for the", "lock"],
    ["The tank holds 8 litres", "lock"],
    ["8 litres.", "lock"],
    ["Wait 8 minutes", "other"],
    ["8", "lock"],
    ["", "lock"],
  ])("is not found: %j in %s", (quote, source) => {
    expect(check("Wait 8 minutes.", quote, source)).toMatchObject({
      verdict: "unsupported",
      evidence: [],
      reasons: [{ code: "quote_not_found" }],
    });
  });
});
