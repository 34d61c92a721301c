/** An answer as one text message, sent when all of it is written. */
import { TurnFailure } from "../domain/failure.js";
import type { TurnEvent } from "../domain/turn.js";
import {
  type Delivery,
  type DeliveryDeps,
  type DeliveryJob,
  type DeliveryResult,
  deliver,
} from "./delivery.js";

export class TextDelivery implements Delivery {
  #text = "";

  constructor(
    private readonly deps: DeliveryDeps,
    private readonly job: DeliveryJob,
  ) {}

  async run(events: AsyncIterable<TurnEvent>): Promise<DeliveryResult> {
    for await (const event of events) if (event.type === "text") this.#text += event.text;
    const text = this.#text.trimEnd();
    await deliverAsText(text, this.deps, this.job);
    return { text, heard: text, audioMs: 0, interrupted: false };
  }

  rewind(): boolean {
    this.#text = "";
    return true;
  }
}

/** Sends `text` as the one message of the reply. Rejects when the relay has no room for it. */
export async function deliverAsText(text: string, deps: DeliveryDeps, job: DeliveryJob): Promise<void> {
  const frame = { type: "text_message", mid: deps.nextMid(), text, kind: job.kind } as const;
  if ((await deliver(job, frame)) === "refused")
    throw new TurnFailure("assistant_unavailable", "The relay takes no more messages.");
  job.onFirst("text");
}
