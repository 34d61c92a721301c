/**
 * The lists of commands in `test/conformance`, which were written before the templates by somebody who had not seen
 * them: what the router makes of each row.
 */
import { readFileSync } from "node:fs";
import { plainText, wordsOf } from "../../src/locale/commands/words.js";
import { utterance } from "../../src/routing/normalized-message.js";
import type { Router, RoutingResult } from "../../src/routing/router.js";

export const COMMAND_LISTS = ["en", "de", "es", "fr", "pl", "uk", "questions"] as const;

interface CommandRow {
  readonly id: string;
  readonly text: string;
  readonly route: "operate" | "check" | "guide" | "talk" | "ask";
  readonly arguments: Readonly<Record<string, string | number>>;
}

export interface CommandResult {
  readonly row: CommandRow;
  /** The route of the row's kind that was taken. */
  readonly taken: string;
  readonly isRouted: boolean;
  /** Routed, and every argument as it was said. */
  readonly isWhole: boolean;
}

/** `directory` holds `commands-<list>.jsonl`. */
export async function runCommandList(
  list: (typeof COMMAND_LISTS)[number],
  directory: URL,
  router: Router,
): Promise<readonly CommandResult[]> {
  const lines = readFileSync(new URL(`commands-${list}.jsonl`, directory), "utf8")
    .trim()
    .split("\n");
  const results: CommandResult[] = [];
  for (const row of lines.map((line) => JSON.parse(line) as CommandRow)) {
    const user = { network: "list", username: row.id };
    const attached = { text: false, platform: false };
    const request = { user, turn: row.id, question: row.text, intents: [], attached };
    const taken = kindOf(await router.route(request, new AbortController().signal));
    const isRouted = taken === row.route;
    results.push({ row, taken, isRouted, isWhole: isRouted && hasArguments(row) });
  }
  return results;
}

function kindOf(routed: RoutingResult): string {
  if (routed.type === "replay" || routed.type === "introduce") return "talk";
  if (routed.type === "ask") return "asked back";
  if (routed.type === "emergency") return "emergency";
  const { capability } = routed.route;
  return { conversational: "talk", knowledge: "ask" }[capability as string] ?? capability;
}

/** What the lists call the intents of talk. */
const TALK: Readonly<Record<string, string>> = { introduce: "introduction", translate: "language" };

function hasArguments({ text, arguments: expected }: CommandRow): boolean {
  const command = utterance(text).command;
  const said: Readonly<Record<string, { text: string; value: string | number }>> = command?.slots ?? {};
  return Object.entries(expected).every(([name, value]) => {
    if (name === "command") return (TALK[command?.intent ?? ""] ?? command?.intent) === value;
    if (name === "procedure")
      return command?.intent.startsWith("guide") && isSame(said.procedure?.text ?? "", value);
    const slot = said[name];
    return slot !== undefined && (slot.value === value || isSame(slot.text, value));
  });
}

function isSame(said: string, expected: string | number): boolean {
  return plainText(wordsOf(said)) === plainText(wordsOf(String(expected)));
}
