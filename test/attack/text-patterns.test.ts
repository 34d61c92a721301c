/**
 * Red team, line 1: texts of the forty pathological families as questions and as `extra_context`, each as long as a
 * question may be, through the real service. While they are answered or refused, another relay's keep_alives come back.
 */
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { countTokens } from "../../src/lib/tokens.js";
import { MESSAGE_CHARS_MAX, MESSAGE_TOKENS_MAX } from "../../src/turn/admit.js";
import { LOCKOUT } from "../e2e/documents.js";
import type { TestRelay } from "../e2e/relay.js";
import { librarian } from "../e2e/script.js";
import { World } from "../e2e/world.js";
import { FAMILIES, type Family } from "../support/doubling.js";
import { Rounds } from "./support/processor.js";

/** On the system's clock: what a relay may send is counted by time. */
const begin = () =>
  World.start({ documents: { acme: { "lockout.md": LOCKOUT } }, respond: librarian, clock: systemClock });

/** The longest text of a family that is admitted as a question. */
function longestQuestion({ text }: Family): string {
  let chars = MESSAGE_CHARS_MAX;
  while (countTokens(text(chars)) > MESSAGE_TOKENS_MAX) chars = Math.floor(chars * 0.8);
  return text(chars);
}

/** The keep_alives that came back, one after the other, before `work` was done. */
async function keepAlivesDuring(relay: TestRelay, work: () => Promise<unknown>): Promise<Rounds> {
  const rounds = new Rounds();
  let isOver = false;
  const done = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await relay.flushed();
    rounds.answered();
  }
  await done;
  console.log(String(rounds));
  return rounds;
}

/** So many attack at once; more would measure the machine. */
const AT_ONCE = 4;
/** One for two questions at the least, which are answered at the same time as two others. */
const KEEP_ALIVES_MIN = FAMILIES.length / 2;

/** Of the loop's time, between two keep_alives. */
const SHARE_MAX = 1 / AT_ONCE;

async function inWaves(attack: (family: Family, index: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < FAMILIES.length; from += AT_ONCE)
    await Promise.all(FAMILIES.slice(from, from + AT_ONCE).map((family, i) => attack(family, from + i)));
}

describe("a question of every family", () => {
  test.each(["text", "audio"])("at the relay, answered by %s", async (mode) => {
    const world = await begin();
    const [hostile, other] = [await world.relay(), await world.relay()];
    const asked = () =>
      inWaves((family, index) => {
        const user = hostile.user("acme", `u${index}`);
        user.ask(longestQuestion(family), { response_type: mode, request_id: "r" });
        const ends = /^(?:end_message|text_message|ai_message_error)$/;
        return user.until(
          (frames) => frames.find(({ json }) => ends.test(String(json?.command))),
          `an answer to ${family.name}`,
        );
      });
    const { count, longestShare } = await keepAlivesDuring(other, asked);
    expect(count).toBeGreaterThanOrEqual(KEEP_ALIVES_MIN);
    expect(longestShare).toBeLessThan(SHARE_MAX);
  });

  test("in extra_context, and asked again behind itself", async () => {
    const world = await begin();
    const [hostile, other] = [await world.relay(), await world.relay()];
    const asked = () =>
      inWaves(async (family, index) => {
        const user = hostile.user("acme", `u${index}`);
        const text = longestQuestion(family);
        user.ask(text, { request_id: "a", extra_context: { readings: text } });
        await user.answered("a");
        user.ask("And then?", { request_id: "b" });
        await user.answered("b");
      });
    const { count, longestShare } = await keepAlivesDuring(other, asked);
    expect(count).toBeGreaterThanOrEqual(KEEP_ALIVES_MIN);
    expect(longestShare).toBeLessThan(SHARE_MAX);
  });
});
