/** A model that drafts what the documents do not say, asked over the wire; and all that its user is told then. */
import { searchReply, speechReply, textReply } from "../support/openai-replies.js";
import type { TestUser } from "./relay.js";
import { type Documents, World } from "./world.js";

export interface Invention {
  readonly name: string;
  readonly question: string;
  /** What the model writes, with the document and the words that it pretends to quote. */
  readonly claims: readonly { readonly text: string; readonly of: string; readonly quote: string }[];
  /** Must reach the user. */
  readonly honest: readonly string[];
  /** Must not. */
  readonly invented: readonly string[];
}

/** The number of the passage of this document, as the model was shown it. */
function numberOf(title: string, messages: readonly { readonly content?: string | null }[]): number {
  const shown = messages.map(({ content }) => content ?? "").join("\n");
  return Number(new RegExp(`\\[Passage (\\d+)\\]\\nDocument: ${title}`).exec(shown)?.[1] ?? 0);
}

/** Asks it by text or aloud, and waits for the answer. */
export async function asked(
  invention: Invention,
  documents: Documents,
  mode: "aligned" | "quoted",
  spoken: boolean,
) {
  const world = await World.start({
    documents,
    config: { "grounding.mode": mode, "retrieval.speculate": false },
    respond: {
      chat: ({ body }) => {
        if (body.tool_choice === "required") return searchReply(invention.question);
        const { claims } = invention;
        const pieces =
          mode === "aligned"
            ? claims.map(({ text }) => `${text}\n`)
            : JSON.stringify({
                claims: claims.map(({ text, of, quote }) => ({
                  text,
                  passage: numberOf(of, body.messages),
                  quote,
                })),
                question: "",
              }).match(/[\s\S]{1,17}/g)!;
        return textReply(pieces);
      },
      speech: () => speechReply({ packets: 2 }),
    },
  });
  const ann = (await world.relay()).user("acme", "ann");
  if (spoken) ann.askAloud(invention.question);
  else ann.ask(invention.question);
  await ann.answered();
  return { world, ann };
}

/** Everything that the user hears or reads, and everything that was given to the voice. */
export function told(world: World, ann: TestUser): string {
  const texts = ann.frames.flatMap(({ json }) => (typeof json?.text === "string" ? [json.text] : []));
  return [...texts, ...world.server.speeches.map(({ input }) => input)].join("\n");
}
