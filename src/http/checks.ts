/**
 * `POST /api/v1/checks`: a text that somebody else wrote, held against passages or against readings of a site's systems,
 * by the same rules as an answer. Nothing is searched and no model is asked.
 */
import { z } from "zod";
import { parsed, textField } from "../api/fields.js";
import type { Claim } from "../domain/answer.js";
import { checkText, sentencesOf } from "../grounding/check/check-text.js";
import { CHECK_MS_MAX, CHECKED_SENTENCES_MAX, EVIDENCE_CHARS_MAX } from "../grounding/limits.js";
import { checkReadings } from "../grounding/readings/readings.js";
import { WorkBudget } from "../lib/steps.js";
import { claimBody } from "./answer-body.js";
import { plainError } from "./answers.js";
import { type ApiDeps, type ApiExchange, ApiRouter } from "./exchange.js";

const TEXT_CHARS_MAX = 20_000;
const TITLE_CHARS_MAX = 1_000;
const PASSAGES_MAX = 32;
const TOOLS_MAX = 64;
const MS_PER_SECOND = 1_000;

const bounded = textField.max(TEXT_CHARS_MAX, { error: `expected at most ${TEXT_CHARS_MAX} characters` });
const title = z.string().max(TITLE_CHARS_MAX, { error: `expected at most ${TITLE_CHARS_MAX} characters` });

const checkedText = bounded.refine((text) => sentencesOf(text).length <= CHECKED_SENTENCES_MAX, {
  error: `expected at most ${CHECKED_SENTENCES_MAX} sentences`,
});

const passage = z.strictObject(
  {
    id: z.string({ error: "expected a name for the passage" }).min(1),
    text: bounded,
    title: title.optional(),
    headings: z.array(title).max(PASSAGES_MAX).optional(),
  },
  { error: "expected an object {id, text, title?, headings?}" },
);

const reading = z.strictObject(
  {
    tool: z.string({ error: "expected the tool's name" }).min(1),
    args: z.unknown().optional(),
    result: z.unknown(),
    age_s: z.number({ error: "expected the age of the reading in seconds" }).min(0),
  },
  { error: "expected an object {tool, result, age_s, args?}" },
);

const requestBody = z
  .strictObject(
    {
      text: checkedText,
      question: z.string().max(TEXT_CHARS_MAX).default(""),
      passages: z
        .array(passage)
        .max(PASSAGES_MAX)
        .refine((all) => all.reduce((chars, { text }) => chars + text.length, 0) <= EVIDENCE_CHARS_MAX, {
          error: `expected at most ${EVIDENCE_CHARS_MAX} characters in all passages together`,
        })
        .optional(),
      state: z.record(z.string(), z.unknown()).optional(),
      tools: z.array(reading).max(TOOLS_MAX).optional(),
    },
    { error: "expected a JSON object" },
  )
  .refine(
    ({ passages, state, tools }) => (passages === undefined) !== (state === undefined && tools === undefined),
    {
      path: ["passages"],
      error: "expected either passages, or state and tools",
    },
  );

export function checksDoor(deps: ApiDeps) {
  return new ApiRouter(deps, "checks", plainError)
    .post("/api/v1/checks", (exchange) => check(exchange, deps))
    .routes();
}

async function check({ body, response }: ApiExchange, { clock }: ApiDeps): Promise<void> {
  const { text, question, passages, state, tools = [] } = parsed(requestBody, body);
  const budget = new WorkBudget(CHECK_MS_MAX);
  if (passages !== undefined) {
    const texts = passages.map(({ id, title = "", headings = [], text: words }) => {
      return { type: "passage", source: id, text: words, title, headings } as const;
    });
    const claims = await checkText(text, texts, question, budget);
    response.json({ claims: claims.map(told) });
    return;
  }
  const readings = tools.map(({ age_s, ...rest }) => ({ ...rest, ageMs: age_s * MS_PER_SECOND }));
  const known = { tools: readings, user: question, nowMs: () => clock.now(), ...(state && { state }) };
  const verdict = await checkReadings(text, known, budget);
  response.json({ ...verdict, claims: verdict.claims.map(told) });
}

function told(claim: Claim): object {
  const { said: _, ...body } = claimBody({ ...claim, said: false });
  return body;
}
