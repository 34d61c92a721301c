/** The messages of the gRPC door, as they come and go: `proto/brunix.proto`. Fields that say nothing are empty. */
import { z } from "zod";
import type { Caller } from "../api/api-keys.js";
import { type CallerQuestion, presentFields } from "../api/ask.js";
import { callerNoteIn } from "../api/caller-note.js";
import type { DefaultUser } from "../api/claims.js";
import { questionIn } from "../api/conversation.js";
import { parsed, textField } from "../api/fields.js";
import { jsonIn } from "../api/json.js";
import { type CitedSource, sourcesOf } from "../api/outcome.js";
import { Rejection } from "../api/rejection.js";
import type { Answer } from "../domain/answer.js";
import type { Route } from "../routing/routes.js";
import type { EvaluationRequest, EvaluationSummary } from "./evaluator.js";

export interface AgentRequest {
  readonly query: string;
  readonly session_id: string;
  readonly editor_content: string;
  readonly selected_text: string;
  readonly extra_context: string;
  readonly user_info: string;
  readonly query_type: string;
  readonly network: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly features: readonly string[];
  readonly mode: string;
  readonly language: string;
}

export interface AgentResponse {
  readonly text: string;
  readonly is_final: boolean;
  readonly outcome?: string;
  readonly confidence?: number;
  readonly sources?: readonly CitedSource[];
}

export interface EvalRequest {
  readonly category: string;
  readonly limit: number;
  readonly data_set: string;
}

const queryOf = z.object({ query: textField });

/** Throws `Rejection`. */
export function questionOf(
  request: AgentRequest,
  caller: Caller,
  { otherwise, routes }: { readonly otherwise: DefaultUser; readonly routes: readonly Route[] },
): CallerQuestion {
  const { query } = parsed(queryOf, request);
  const { editor_content, extra_context, selected_text, user_info, ...rest } = request;
  const note = callerNoteIn(
    {
      // An empty text or list cannot be told from none.
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value.length > 0)),
      ...presentFields({
        editor_content: decoded(editor_content, "editor_content"),
        selected_text: decoded(selected_text, "selected_text"),
        extra_context: decoded(extra_context, "extra_context"),
        user_info: userInfo(user_info),
      }),
    },
    "",
    routes,
  );
  return questionIn({ text: query, history: [] }, note, caller, otherwise);
}

/** The text behind base64; undefined for none. */
function decoded(text: string, field: string): string | undefined {
  if (text === "") return undefined;
  const plain = text.replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) throw bad(field, "expected base64 of UTF-8");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(plain, "base64"));
  } catch {
    throw bad(field, "expected base64 of UTF-8");
  }
}

/** JSON as it is, or behind base64, which never begins with a brace. */
function userInfo(text: string): unknown {
  const json = text.trimStart().startsWith("{") ? text : decoded(text, "user_info");
  if (json === undefined) return undefined;
  return jsonIn(json, (problem) =>
    bad("user_info", `it ${problem}; expected a JSON object, as it is or as base64`),
  );
}

function bad(field: string, problem: string): Rejection {
  return new Rejection("bad_parameter", `"${field}": ${problem}.`, field);
}

/** The last message of an answer; `text` is empty where the answer was streamed. */
export function finalResponse(text: string, answer: Answer): AgentResponse {
  const { confidence, outcome } = answer;
  return { text, is_final: true, outcome, confidence, sources: sourcesOf(answer) };
}

/** Throws `Rejection`. */
export function evaluationOf({ category, data_set: dataSet, limit }: EvalRequest): EvaluationRequest {
  if (limit < 0) throw bad("limit", "expected 0, for all, or more");
  return {
    ...(category === "" ? {} : { category }),
    ...(limit === 0 ? {} : { limit }),
    ...(dataSet === "" ? {} : { dataSet }),
  };
}

const MS_PER_SECOND = 1_000;

export function evalResponse({
  elapsedMs,
  judgeModel,
  metrics,
  problem,
  questions,
  verdict,
}: EvaluationSummary): object {
  return {
    status: problem ?? "ok",
    questions_evaluated: questions,
    elapsed_seconds: elapsedMs / MS_PER_SECOND,
    judge_model: judgeModel ?? "",
    ...presentFields({
      faithfulness: metrics.faithfulness,
      answer_relevancy: metrics.answerRelevancy,
      context_recall: metrics.contextRecall,
      context_precision: metrics.contextPrecision,
      global_score: metrics.globalScore,
    }),
    verdict,
  };
}
