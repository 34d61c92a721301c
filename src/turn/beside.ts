/** A capability with something said beside its answer: ahead of it, behind it, or last of all. */
import type { AskRequest, Capability } from "../capability/capability.js";
import type { DraftEvent, SaidLast } from "../capability/draft.js";

/** The same with what another one tells, ahead of the answer or behind it. Behind a question back nothing is told. */
export function withOther(capability: Capability, other: Capability, where: "ahead" | "behind"): Capability {
  return {
    ...capability,
    async *draft(request, signal) {
      if (where === "ahead") yield* withoutEnd(other.draft(request, signal));
      for await (const event of capability.draft(request, signal)) {
        if (where === "behind" && event.type === "end" && event.options === undefined)
          yield* withoutEnd(other.draft(request, signal));
        yield event;
      }
    },
    heard: heardBy(capability, other),
  };
}

function heardBy(...all: readonly Pick<Capability, "heard">[]): NonNullable<Capability["heard"]> {
  return (report) => {
    for (const one of all) one.heard?.(report);
  };
}

async function* withoutEnd(events: AsyncIterable<DraftEvent>): AsyncGenerator<DraftEvent> {
  for await (const event of events) if (event.type !== "end") yield event;
}

/** The same with a phrase before its first word; once more when what was said is taken back. */
export function preceded(text: string, capability: Capability): Capability {
  return {
    ...capability,
    async *draft(request, signal) {
      let isTold = false;
      const rewind = () => {
        const rewound = request.rewind();
        if (rewound) isTold = false;
        return rewound;
      };
      for await (const event of capability.draft({ ...request, rewind }, signal)) {
        if (!isTold && SPOKEN.has(event.type)) {
          isTold = true;
          yield { type: "phrase", text };
        }
        yield event;
      }
    },
  };
}

const SPOKEN: ReadonlySet<DraftEvent["type"]> = new Set(["text", "claim", "phrase", "end"]);

/** What is said last of an answer: begun with it, and asked for at its end. */
export type LastBegun = (request: AskRequest, signal: AbortSignal) => () => Promise<readonly SaidLast[]>;

/** The same with what `other` says last, which is told how it was heard; but what waits for a yes is the last that is said. */
export function followed(
  capability: Capability,
  other: Pick<Capability, "heard">,
  last: LastBegun,
): Capability {
  return {
    ...capability,
    heard: heardBy(capability, other),
    async *draft(request, signal) {
      const begun = last(request, signal);
      for await (const event of capability.draft(request, signal)) {
        if (event.type === "end" && event.opens === undefined) yield { ...event, last: await begun() };
        else yield event;
      }
    },
  };
}
