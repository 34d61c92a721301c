/**
 * What a model says in a session while it writes it, as server-sent events: `text` for each piece, `rewound` where it
 * begins anew, `finished` with what there is then, `failed` with why there is nothing.
 */
import type { OnWritten } from "../../guide/builder/drafting.js";
import type { Clock } from "../../lib/clock.js";
import { plainError } from "../answers.js";
import type { ApiExchange } from "../exchange.js";
import { eventStream, serverSent, streamReply } from "../streamed-reply.js";

/** `turn`: rejects with `Rejection`; gives what is told in the end. */
export async function streamedTurn(
  exchange: ApiExchange,
  clock: Clock,
  turn: (onWritten: OnWritten) => Promise<object>,
): Promise<void> {
  await streamReply(
    exchange,
    eventStream(clock),
    async (reply) => {
      let said = "";
      let writing = Promise.resolve();
      const body = await turn((raw) => {
        const now = saidSoFar(raw);
        if (now === said) return;
        const goesOn = now.startsWith(said);
        const text = JSON.stringify({ text: goesOn ? now.slice(said.length) : now });
        const events = `${goesOn ? "" : serverSent("{}", "rewound")}${serverSent(text, "text")}`;
        said = now;
        writing = writing.then(() => reply.write(events));
        // Who is gone is found out below, once there is an answer.
        void Promise.allSettled([writing]);
      });
      await writing;
      await reply.write(serverSent(JSON.stringify(body), "finished"));
    },
    (rejection) => serverSent(JSON.stringify(plainError(rejection)), "failed"),
  );
}

/** Escapes that are not whole yet are left out. */
const SAY = /"say"\s*:\s*"((?:[^"\\]|\\u[\dA-Fa-f]{4}|\\[^u])*)/;

/** The text of `say` in JSON that is not all there yet; empty where there is none. */
export function saidSoFar(raw: string): string {
  const [, written = ""] = SAY.exec(raw) ?? [];
  try {
    return JSON.parse(`"${written.replace(/[\n\r\t]/g, " ")}"`) as string;
  } catch {
    return "";
  }
}
