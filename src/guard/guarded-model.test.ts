import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ScriptedModel, usage } from "../../test/support/fake-model.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import type { Destination, ForeignText } from "../domain/foreign-text.js";
import { ModelFailure, type ModelMessage, type ModelRequest } from "../llm/port.js";
import { GuardedModel } from "./guarded-model.js";
import { type Guard, GuardRefusal, GuardUnavailable } from "./port.js";

const { signal } = new AbortController();

/** Refuses what says "attack"; cannot be asked about what says "down". */
class FakeGuard implements Guard {
  readonly scanned: [ForeignText["what"], string, Destination][] = [];

  async scan({ text, what }: ForeignText, to: Destination): Promise<string | undefined> {
    this.scanned.push([what, text, to]);
    if (text.includes("down")) throw new GuardUnavailable("down");
    return text.includes("attack") ? "X" : undefined;
  }

  waits = true;
  state = async () => "ready" as const;
}

let guard: FakeGuard;
let model: ScriptedModel;
beforeEach(() => {
  guard = new FakeGuard();
  model = new ScriptedModel(new VirtualClock());
});
afterEach(() => model.verify());

const requestOf = (...messages: readonly ModelMessage[]): ModelRequest => ({
  messages,
  tools: [],
  toolChoice: "none",
  outputTokensMax: 100,
});

/** What the model was sent. */
async function sent(...messages: readonly ModelMessage[]): Promise<readonly ModelMessage[]> {
  model.expectReply({ calls: [], text: "Yes.", usage });
  await new GuardedModel(model, guard).complete(requestOf(...messages), signal);
  return model.requests.at(-1)!.messages;
}

const asked = (...messages: readonly ModelMessage[]) =>
  new GuardedModel(model, guard).complete(requestOf(...messages), signal);

/** Asked while the guard still looks: a guard that is held up until `decide`, behind local scanners that refuse "hidden". */
function beside(request: ModelRequest) {
  let decide = () => {};
  const decided = new Promise<void>((resolve) => {
    decide = resolve;
  });
  const slow = new FakeGuard();
  const late: Guard = {
    ...{ waits: true, state: slow.state },
    scan: async (text, to) => decided.then(() => slow.scan(text, to)),
  };
  const here: Guard = {
    ...{ waits: false, state: slow.state },
    scan: async ({ text }) => (text.includes("hidden") ? "InvisibleText" : undefined),
  };
  const guarded = new GuardedModel(model, late, here);
  const heard: string[] = [];
  const listen = async () => {
    for await (const { type } of guarded.stream(request, signal)) heard.push(type);
  };
  return { complete: () => guarded.complete(request, signal), decide, heard, listen };
}

const system: ModelMessage = { role: "system", content: "You are Readback." };
const user = (content: string): ModelMessage => ({ role: "user", content });
const call: ModelMessage = { role: "tool_calls", calls: [{ id: "c", name: "t", arguments: "{}" }] };
const tool = (content: string): ModelMessage => ({ role: "tool", callId: "c", content });

describe("a request", () => {
  it("goes on as it is, the same object, where nothing is refused", async () => {
    model.expectReply({ calls: [], text: "Yes.", usage });
    const request = requestOf(system, user("Hello"), call, tool("12 bar"));
    await new GuardedModel(model, guard).complete(request, signal);
    expect(model.requests[0]).toBe(request);
    expect(guard.scanned).toEqual([
      ["question", "Hello", "model"],
      ["tool_reply", "12 bar", "model"],
    ]);
  });

  it("of which the question is refused is a refused turn", async () => {
    await expect(asked(system, user("an attack"))).rejects.toThrow(GuardRefusal);
  });

  it("of which what is attached is refused is a refused turn", async () => {
    const foreign = [{ what: "attached_text", text: "an attack" }] as const;
    await expect(asked({ ...user("[an attack] What is that?"), foreign })).rejects.toThrow(GuardRefusal);
  });

  it("loses earlier lines that are refused, and no other", async () => {
    const before: ModelMessage = { role: "assistant", content: "attack!" };
    expect(await sent(system, user("an attack"), before, user("Hello"))).toEqual([system, user("Hello")]);
  });

  it("loses a refused passage and keeps the others", async () => {
    const foreign = ["an attack", "The lock is red."].map((text) => ({ what: "passage", text }) as const);
    const content = "[1] an attack [2] The lock is red.";
    const [, shown] = await sent(call, { ...tool(content), foreign }, user("Hello"));
    expect(shown).toMatchObject({ content: "[1] (withheld) [2] The lock is red." });
  });

  it("keeps its answer to a call where all of it is refused", async () => {
    expect(await sent(call, tool("an attack"), user("Hello"))).toEqual([
      call,
      tool("(withheld)"),
      user("Hello"),
    ]);
  });

  it("loses of a system prompt what is somebody else's", async () => {
    const foreign = [{ what: "tool_reply", text: "an attack" }] as const;
    const [shown] = await sent(
      { role: "system", content: "Facts: an attack. Answer.", foreign },
      user("Hello"),
    );
    expect(shown).toMatchObject({ content: "Facts: (withheld). Answer." });
  });

  it("that rests on a refused text alone counts as failed", async () => {
    const foreign = [{ what: "passage", text: "an attack" }] as const;
    const failure = await asked({ ...user("an attack"), foreign }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ModelFailure);
    expect(failure).toMatchObject({ retryable: false });
  });

  it("that could not be scanned counts as failed, and never leaves", async () => {
    await expect(asked(user("down"))).rejects.toThrow(ModelFailure);
    const stream = new GuardedModel(model, guard).stream(requestOf(user("down")), signal);
    await expect(stream.next()).rejects.toThrow(ModelFailure);
    expect(model.requests).toEqual([]);
  });

  it("is streamed behind the guard too", async () => {
    model.expectStream("Yes.");
    const events = [];
    for await (const event of new GuardedModel(model, guard).stream(requestOf(user("Hello")), signal))
      events.push(event.type);
    expect(events).toEqual(["text", "end"]);
  });
});

describe("a request beside its scan", () => {
  it("is under way before the guard has decided, and not heard before", async () => {
    model.expectStream("Yes.");
    const { decide, heard, listen } = beside(requestOf(system, user("Hello")));
    const listening = listen();
    await settle();
    expect([model.requests.length, heard]).toEqual([1, []]);
    decide();
    await listening;
    expect(heard).toEqual(["text", "end"]);
  });

  it("that is refused is called back: none of its answer is heard", async () => {
    model.expectStream("Yes.");
    const { decide, heard, listen } = beside(requestOf(user("an attack")));
    const listening = listen();
    decide();
    await expect(listening).rejects.toThrow(GuardRefusal);
    expect(heard).toEqual([]);
  });

  it("of which something is left out is made again without it", async () => {
    for (const text of ["Yes.", "No."]) model.expectReply({ calls: [], text, usage });
    const { complete, decide } = beside(requestOf(user("attack!"), user("Hello")));
    decide();
    expect(await complete()).toMatchObject({ text: "No." });
    expect(model.requests.map(({ messages }) => messages.length)).toEqual([2, 1]);
  });

  it("that could not be scanned counts as failed, whatever was answered", async () => {
    model.expectReply({ calls: [], text: "Yes.", usage });
    const { complete, decide } = beside(requestOf(user("down")));
    decide();
    await expect(complete()).rejects.toThrow(ModelFailure);
  });

  it("never leaves with what the local scanners refuse", async () => {
    await expect(beside(requestOf(user("hidden"))).complete()).rejects.toThrow(GuardRefusal);
    expect(model.requests).toEqual([]);
  });

  it("ends where nobody listens any more", async () => {
    model.expectStream("Yes.");
    const events = new GuardedModel(model, guard, guard).stream(requestOf(user("Hello")), signal);
    await events.next();
    expect(await events.return()).toMatchObject({ done: true });
  });
});
