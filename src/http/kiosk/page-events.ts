/** The server-sent events by which a kiosk's page follows a turn: docs/kiosk.md lists them. */

import { answerIn } from "../../api/outcome.js";
import type { CallerEvent } from "../../chat/door.js";
import type { Answer } from "../../domain/answer.js";
import type { AnswerReport } from "../../domain/answer-report.js";
import type { ToolStep, TurnEvent } from "../../domain/turn.js";
import type { ShownRun } from "../../guide/speech/sayings.js";
import type { OutletFrame } from "../../turn/outlet.js";
import { operationCard } from "../approvals/body.js";

export type PageEvent = readonly [name: string, data: object];

/** Sources that are shown at the most: a card for each has to fit the screen. */
const SOURCES_MAX = 3;

/** Undefined for what the page has no use for. */
export function pageEventOf(heard: CallerEvent, showSource: boolean): PageEvent | undefined {
  return heard.type === "event" ? ofEvent(heard.event, showSource) : ofFrame(heard.frame);
}

function ofEvent(event: TurnEvent, showSource: boolean): PageEvent | undefined {
  switch (event.type) {
    case "understood": {
      const { heardAs, language, text } = event;
      const heard = heardAs === undefined ? {} : { heard: heardAs };
      return ["understood", { text, ...heard, ...(language === undefined ? {} : { language }) }];
    }
    case "text":
      return ["text", { text: event.text }];
    case "step":
      return showSource ? ["step", stepBody(event)] : undefined;
    case "proposed":
      return ["operation", operationCard(event.operation)];
    case "rewound":
      return ["rewound", {}];
    case "finished":
      return ["finished", finished(event.report, showSource)];
    default:
      return undefined; // What was searched for is of no interest to who stands there.
  }
}

/** What was read of a system of the site, or of what there was no reading. */
function stepBody({ evidence, ok, target }: ToolStep): object {
  const told = evidence.map(({ ageMs, text }) => ({ text, age_ms: ageMs }));
  return { ...(target === undefined ? {} : { target }), ok, evidence: told };
}

/** The step that a guide is at, how far it is, and what can be said. */
export function guideBody({ canSay, ...shown }: ShownRun): object {
  return { ...shown, can_say: canSay };
}

function ofFrame(frame: OutletFrame): PageEvent | undefined {
  switch (frame.type) {
    case "message":
      return ["voice", { packet_ms: frame.shape.packetMs }];
    case "audio":
      return ["packet", { data: Buffer.from(frame.packet).toString("base64") }];
    default:
      return undefined; // Said by an event.
  }
}

/** Throws `Rejection` where there is no answer. */
function finished(report: AnswerReport, showSource: boolean): object {
  const answer = answerIn(report);
  const { outcome, text } = answer;
  return { outcome, text, sources: showSource ? sourceCards(answer) : [] };
}

/** A place in a document, and its words that the answer rests on. */
export interface SourceCard {
  readonly title: string;
  /** The innermost heading that says more than the title. */
  readonly section?: string;
  readonly page?: number;
  readonly revision?: string;
  readonly quote: string;
}

/** Each place once, in the order in which it was said, with the first words that were taken from it. */
export function sourceCards({ claims, passages }: Answer): readonly SourceCard[] {
  const byChunk = new Map(passages.map((passage) => [passage.chunkId, passage]));
  const shown = new Map<string, SourceCard>();
  for (const { evidence, said } of claims) {
    const [best] = evidence;
    const passage = best?.type === "passage" ? byChunk.get(best.source) : undefined;
    if (!said || best === undefined || passage === undefined) continue;
    const { documentId, headings, page, revision, title } = passage;
    const place = `${documentId}\u0000${page ?? ""}`;
    const section = headings.findLast((heading) => !title.toLowerCase().includes(heading.toLowerCase()));
    if (shown.has(place)) continue;
    shown.set(place, {
      title,
      ...(section === undefined ? {} : { section }),
      ...(page === undefined ? {} : { page }),
      ...(revision === undefined ? {} : { revision }),
      quote: best.value,
    });
  }
  return [...shown.values()].slice(0, SOURCES_MAX);
}
