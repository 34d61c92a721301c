/** Reads server-sent events from text as it comes. https://html.spec.whatwg.org/multipage/server-sent-events.html */

export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
}

/** Longest event: a packet of sound, or a whole answer, is far shorter. */
const EVENT_CHARS_MAX = 1_000_000;

export class ServerSentReader {
  #rest = "";

  /** The events that `text` completes; comments are passed over. Throws on an event that never ends. */
  push(text: string): ServerSentEvent[] {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    if (this.#rest.length > EVENT_CHARS_MAX) throw new Error("an event without an end");
    return blocks.flatMap((block) => {
      const lines = block.split("\n");
      const data = valuesOf(lines, "data").join("\n");
      const [name = "message"] = valuesOf(lines, "event");
      return data === "" ? [] : [{ name, data }];
    });
  }
}

function valuesOf(lines: readonly string[], field: string): string[] {
  return lines
    .filter((line) => line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1).replace(/^ /, ""));
}
