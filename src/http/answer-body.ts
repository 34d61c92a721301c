/** An answer as JSON: the shape in which the evaluation API tells what a question came to (docs/api.md). */
import { muxOggOpus } from "@readback/audio";
import { answerIn } from "../api/outcome.js";
import type { HeardAnswer } from "../chat/door.js";
import type { AnswerClaim, RouteDecision } from "../domain/answer.js";
import type { AnswerReport } from "../domain/answer-report.js";
import { isWaiting } from "../domain/operation.js";
import type { Passage } from "../domain/passage.js";
import type { Waterfall } from "../domain/waterfall.js";
import { approvalNeeded } from "./approvals/body.js";

/** Everything that was found out. Throws `Rejection` where there is no answer. */
export function answerBody({ audio, operation, report }: HeardAnswer): object {
  const answer = answerIn(report);
  return {
    outcome: answer.outcome,
    route: routeBody(answer.route),
    answer: answer.text,
    spoken: answer.spoken,
    search_queries: answer.queries,
    passages: answer.passages.map(passageBody),
    claims: answer.claims.map(claimBody),
    uncertainties: answer.uncertainties,
    confidence: answer.confidence,
    degraded: answer.degraded,
    ...costsBody(report),
    ...(operation !== undefined && isWaiting(operation) ? { approval: approvalNeeded(operation) } : {}),
    ...(audio === undefined ? {} : { audio: audioBody(audio) }),
  };
}

export function costsBody({ timingsMs, usage, waterfall }: AnswerReport): object {
  const { costUsd, inputTokens, outputTokens } = usage;
  return {
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
    },
    timings_ms: timingsMs,
    ...(waterfall === undefined ? {} : { waterfall: waterfallBody(waterfall) }),
  };
}

function waterfallBody({ buttonMs, held, marksMs }: Waterfall): object {
  return { held, marks_ms: marksMs, ...(buttonMs === undefined ? {} : { button_ms: buttonMs }) };
}

export function routeBody({ route, layer, confidence }: RouteDecision): object {
  return { route, layer, confidence };
}

/** Not who else may read it: that is nobody's business but the document's owner's. */
export function passageBody(passage: Passage): object {
  const { alsoIn, chunkId, documentId, headings, highlights, kind, page, position, revision, score } =
    passage;
  return {
    chunk_id: chunkId,
    document_id: documentId,
    title: passage.title,
    ...(revision === undefined ? {} : { revision }),
    supersedes: passage.supersedes,
    source_file: passage.sourceFile,
    headings,
    ...(page === undefined ? {} : { page }),
    position,
    doc_type: kind.docType,
    block_type: kind.blockType,
    tags: kind.tags,
    text: passage.text,
    highlights,
    score,
    also_in: alsoIn.map((twin) => ({
      chunk_id: twin.chunkId,
      document_id: twin.documentId,
      title: twin.title,
    })),
  };
}

/** A claim with what it rests on. */
export function claimBody({ confidence, evidence, reasons, said, text, verdict, verified }: AnswerClaim) {
  return {
    text,
    verdict,
    said,
    ...(verified === undefined ? {} : { verified }),
    confidence,
    evidence: evidence.map(({ ageMs, type, source, value }) => ({
      type,
      source,
      value,
      ...(ageMs === undefined ? {} : { age_ms: ageMs }),
    })),
    reasons,
  };
}

/** A file that any player takes. */
function audioBody({ packets, shape }: NonNullable<HeardAnswer["audio"]>): object {
  const file = muxOggOpus(packets, { inputSampleRateHz: shape.sampleRateHz });
  return {
    content_type: "audio/ogg; codecs=opus",
    duration_ms: packets.length * shape.packetMs,
    data: Buffer.from(file).toString("base64"),
  };
}
