import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { VIOLATIONS_KEPT_MAX, WireCheck } from "./check.js";
import { AHEAD_MS_MAX } from "./playout.js";
import type { TraceEvent } from "./trace.js";
import {
  ANN,
  answer,
  BOB,
  came,
  conversation,
  end,
  IN_FLIGHT_MS,
  kindsOf,
  message,
  OPUS_20,
  opened,
  PACKET_MS,
  packet,
  sent,
  words,
} from "./trace.test-util.js";
import { VIOLATIONS, type ViolationKind } from "./violation.js";

const isAudio = (pid: number) => (event: TraceEvent) =>
  event.type === "audio" && event.audio.packetId === pid;
const isCommand = (name: string) => (event: TraceEvent) =>
  event.type === "command" && event.command.command === name;
const without = (trace: TraceEvent[], drop: (event: TraceEvent) => boolean) =>
  trace.filter((event) => !drop(event));

/** A trace in which the packet is another one. */
function withPayload(payload: Uint8Array): TraceEvent[] {
  return conversation().map((event) =>
    event.type === "audio" && event.audio.packetId === 2
      ? { ...event, audio: { ...event.audio, payload } }
      : event,
  );
}

/** Ann goes from the hall to the yard in the middle of her answer, after three packets. */
function moving(firstPid = 3): TraceEvent[] {
  return [
    ...leaving(),
    ...answer({ packets: 2, firstPid, startMs: 1_200, relay: "yard" }),
    came(1_400, chat("r2"), { relay: "yard" }),
  ];
}

/** She has gone, and the hall's relay knows it. */
function leaving(): TraceEvent[] {
  const spoken = answer({ packets: 3, ending: "moved" });
  const gone = sent(1_150, { relay: "yard", command: "get_chat", requestId: "r2" });
  return [opened("hall"), opened("yard"), sent(0), ...spoken.slice(0, -1), gone, ...spoken.slice(-1)];
}

const chat = (requestId: string) =>
  ({
    command: "chat",
    chatId: "c",
    messageCount: 1,
    lastUpdateMs: 0,
    expiresAtMs: 0,
    speaking: false,
    requestId,
  }) as const;

const text = (requestId: string, said = "Yes.") =>
  ({ command: "text_message", text: said, requestId }) as const;

const acknowledgement = (relay: string) => [
  came(500, message(8, { kind: "acknowledgement" }), { relay }),
  packet(500, 8, 0, { relay }),
  came(600, end(8, 1), { relay }),
];

const unreadable = (what: "malformed_frame" | "bad_command" | "unknown_code"): TraceEvent[] => [
  opened(),
  { type: "unreadable", atMs: 1, earliestMs: 1, relay: "hall", what, detail: "" },
];

const CASES: Record<ViolationKind, () => TraceEvent[]> = {
  packet_missing: () => without(conversation(), isAudio(2)),
  packet_repeated: () => conversation().flatMap((event) => (isAudio(2)(event) ? [event, event] : [event])),
  packet_reordered: () => {
    const trace = conversation();
    const at = trace.findIndex(isAudio(2));
    return trace.with(at, trace[at + 1]!).with(at + 1, trace[at]!);
  },
  packet_after_end: () => [...conversation(), packet(1_400, 9, 5)],
  packet_without_message: () => without(conversation(), isCommand("message")),
  packet_early: () =>
    conversation({ packets: 6 }).map((event) =>
      "earliestMs" in event ? { ...event, atMs: 1_000, earliestMs: 1_000 } : event,
    ),
  packet_late: () =>
    conversation().map((event) =>
      "earliestMs" in event && !isCommand("message")(event) && !isAudio(0)(event)
        ? { ...event, atMs: event.atMs + 2_061, earliestMs: event.earliestMs + 2_061 }
        : event,
    ),
  packet_malformed: () => withPayload(new Uint8Array()),
  packet_shape: () => withPayload(OPUS_20),
  foreign_user: () => [...conversation(), came(2_000, text("r1"), { user: BOB })],
  foreign_connection: () =>
    conversation().map((event) =>
      event.type === "audio" ? { ...event, audio: { ...event.audio, connectionId: "x" } } : event,
    ),
  left_relay: () => [...moving(), came(1_150 + IN_FLIGHT_MS + 1, text("r3"), { relay: "hall" })],
  message_without_end: () => without(conversation(), isCommand("end_message")),
  end_without_message: () => [...conversation(), came(2_000, end(10, 1))],
  duration_wrong: () =>
    conversation().map((event) => (isCommand("end_message")(event) ? came(event.atMs, end(9, 4)) : event)),
  transcription_before_end: () => {
    const trace = conversation();
    return [...trace.slice(0, -2), trace.at(-1)!, trace.at(-2)!];
  },
  transcription_missing: () => without(conversation(), isCommand("transcription")),
  transcription_unexpected: () => [...conversation(), came(2_000, words(9))],
  answers_overlap: () => [
    ...conversation().slice(0, -2),
    sent(1_100, { requestId: "r2" }),
    ...answer({ mid: 10, startMs: 1_240, requestId: "r2" }),
    ...conversation().slice(-2),
  ],
  outcome_missing: () => [opened(), sent(0)],
  outcome_repeated: () => [...conversation(), came(2_000, text("r1"))],
  request_unknown: () => [...conversation(), came(2_000, text("r7"))],
  mid_reused: () => [
    ...conversation(),
    sent(2_000, { requestId: "r2" }),
    ...answer({ startMs: 2_100, requestId: "r2" }),
  ],
  move_gap: () => moving(4),
  move_without_cause: () => conversation({ ending: "moved" }),
  interruption_without_cause: () => conversation({ ending: "interrupted" }),
  heard_not_prefix: () => [
    ...conversation({ text: "Cool it for 20 minutes." }).map((event) => asking(event)),
    sent(2_000, { requestId: "r2", question: "burn" }),
    sent(2_150, { requestId: "r3", command: "cancel" }),
    ...answer({ mid: 10, startMs: 2_100, requestId: "r2", ending: "interrupted", text: "Cool it with ice" }),
  ],
  acknowledgement_unwanted: () => [opened(), sent(0), ...acknowledgement("hall"), ...answer()],
  malformed_frame: () => unreadable("malformed_frame"),
  bad_command: () => unreadable("bad_command"),
  unknown_code: () => unreadable("unknown_code"),
  connection_closed: () => [...conversation(), { type: "closed", atMs: 2_000, relay: "hall", by: "service" }],
};

function asking(event: TraceEvent): TraceEvent {
  return event.type === "sent" ? { ...event, question: "burn" } : event;
}

describe("what is wrong on the wire", () => {
  test.each(Object.keys(VIOLATIONS) as ViolationKind[])("%s is seen", (kind) => {
    expect(kindsOf(CASES[kind]())).toContain(kind);
  });

  it("is no move where somebody is seen for the first time", () => {
    const soon = [opened(), sent(1_000), ...answer({ startMs: 1_001, ending: "moved" })];
    expect(kindsOf(soon)).toContain("move_without_cause");
  });

  it("is told with its user, its time and the last frames", () => {
    const check = new WireCheck({ inFlightMs: 0, repeatable: false });
    for (const event of CASES.packet_repeated()) check.observe(event);
    expect(check.violations[0]).toMatchObject({
      kind: "packet_repeated",
      username: "ann",
      relay: "hall",
      atMs: 1_120,
    });
    expect(check.violations[0]?.frames.at(-1)).toContain("audio mid 9 pid 2");
  });

  it("is counted even where it is not kept", () => {
    const check = new WireCheck({ inFlightMs: 0, repeatable: false });
    for (let pid = 0; pid < VIOLATIONS_KEPT_MAX + 7; pid++) check.observe(unreadable("bad_command")[1]!);
    expect([check.violations.length, check.total]).toEqual([VIOLATIONS_KEPT_MAX, VIOLATIONS_KEPT_MAX + 7]);
  });
});

describe("nothing is wrong with", () => {
  const good: Record<string, () => TraceEvent[]> = {
    "a spoken answer": () => conversation(),
    "an answer that moves": () => moving(),
    "an answer whose new relay is read before the old one": () => {
      const trace = moving();
      const moved = trace.findIndex(isCommand("end_message"));
      return [
        ...trace.toSpliced(moved, 1).slice(0, moved + 2),
        trace[moved]!,
        ...trace.toSpliced(moved, 1).slice(moved + 2),
      ];
    },
    "an answer of which a broken connection lost some packets": () => [
      opened("hall"),
      opened("yard"),
      sent(0),
      ...answer({ packets: 3 }).slice(0, -2),
      { type: "closed", atMs: 1_150, relay: "hall", by: "us" },
      sent(1_400, { relay: "yard", command: "get_chat", requestId: "r2" }),
      ...answer({ packets: 2, firstPid: 5, startMs: 1_450, relay: "yard" }),
      came(1_600, chat("r2"), { relay: "yard" }),
    ],
    "a question whose connection broke": () => [
      opened(),
      sent(0),
      { type: "closed", atMs: 5, relay: "hall", by: "us" },
    ],
    "a connection that had reason to be closed": () => [
      opened(),
      { type: "closed", atMs: 5, relay: "hall", by: "service", cause: "noise" },
    ],
    "an answer that its user stops": () => [
      ...conversation({ ending: "interrupted" }).slice(0, -2),
      sent(1_250, { command: "cancel", requestId: "r2" }),
      ...conversation({ ending: "interrupted" }).slice(-2),
    ],
    "an acknowledgement that is wanted": () => [
      opened("hall", true),
      sent(0),
      ...acknowledgement("hall"),
      ...answer(),
    ],
    "an acknowledgement that gives way to the answer": () => [
      opened("hall", true),
      sent(0),
      ...acknowledgement("hall").slice(0, -1),
      came(560, end(8, 1, "interrupted")),
      ...answer(),
    ],
    "the words alone where the rest cannot be spoken": () => [
      ...leaving(),
      came(1_300, words(9), { relay: "yard" }),
      came(1_400, chat("r2"), { relay: "yard" }),
    ],
    "packets that were read late": () =>
      conversation({ packets: 20 }).map((event) =>
        "earliestMs" in event ? { ...event, atMs: 3_000 } : event,
      ),
    "a frame under way to where the user just was": () => [
      ...moving(),
      sent(2_000, { requestId: "r3", relay: "hall", command: "cancel" }),
      came(
        2_050,
        { command: "ai_message_error", code: "not_found", error: "", requestId: "r3" },
        { relay: "yard" },
      ),
    ],
    "the words heard of a stopped answer": () =>
      CASES.heard_not_prefix().map((event) =>
        event.type === "command" &&
        event.command.command === "transcription" &&
        event.command.messageId === 10
          ? { ...event, command: { ...event.command, text: "Cool it" } }
          : event,
      ),
  };
  test.each(Object.keys(good))("%s", (name) => {
    expect(kindsOf(good[name]!())).toEqual([]);
  });

  it("an answer that pauses for less than the limit, and goes on from there", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 30 }),
        (pausesMs) => {
          let atMs = 1_000;
          const packets = pausesMs.map((pauseMs, pid) => {
            if (pid > 0) atMs += PACKET_MS + pauseMs;
            return packet(atMs, 9, pid);
          });
          const trace = [
            opened(),
            sent(0),
            came(1_000, message(9)),
            ...packets,
            came(atMs, end(9, packets.length)),
            came(atMs, words(9)),
          ];
          expect(kindsOf(trace)).toEqual([]);
        },
      ),
    );
  });

  it("answers to several users whose frames are mixed in any way", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        (sizes, choices) => {
          const queues = sizes.map((packets, i) => {
            const user = { network: "acme", username: `u${i}` };
            return [
              sent(0, { user, requestId: `r${i}` }),
              ...answer({ mid: i, packets, user, requestId: `r${i}` }),
            ];
          });
          const trace: TraceEvent[] = [opened()];
          for (let left = queues; left.length > 0; left = left.filter((queue) => queue.length > 0))
            trace.push(left[choices.next().value! % left.length]!.shift()!);
          expect(kindsOf(trace)).toEqual([]);
        },
      ),
    );
  });
});

test("a typed question stops an answer only where the service is configured so", () => {
  const stopped = conversation({ ending: "interrupted" });
  const trace = [
    ...stopped.slice(0, -2),
    sent(1_250, { requestId: "r2" }),
    ...stopped.slice(-2),
    came(1_400, text("r2")),
  ];
  expect(kindsOf(trace)).toEqual(["interruption_without_cause"]);
  const check = new WireCheck({ inFlightMs: IN_FLIGHT_MS, repeatable: true, typingStops: true });
  for (const event of trace) check.observe(event);
  expect(check.violations).toEqual([]);
});

describe("whatever happens to the packets of an answer", () => {
  const pids = fc
    .integer({ min: 2, max: 40 })
    .chain((count) =>
      fc.tuple(fc.constant(count), fc.array(fc.integer({ min: 0, max: count - 1 }), { maxLength: 50 })),
    );

  it("is seen unless they are all there once and in order", () => {
    fc.assert(
      fc.property(pids, ([count, order]) => {
        const frames = order.map((pid, i) => packet(1_000 + i * PACKET_MS, 9, pid));
        const endMs = 1_000 + order.length * PACKET_MS;
        const trace = [
          opened(),
          sent(0),
          came(1_000, message(9)),
          ...frames,
          came(endMs, end(9, count)),
          came(endMs, words(9)),
        ];
        const whole = order.length === count && order.every((pid, i) => pid === i);
        expect(kindsOf(trace).length === 0).toBe(whole);
      }),
      { examples: [[[3, [0, 1, 2]]], [[2, [1, 0]]], [[2, []]]] },
    );
  });

  it("is seen when they come before their time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 40 }), fc.integer({ min: 1, max: 2_000 }), (index, earlyMs) => {
        const dueMs = 1_000 + index * PACKET_MS - AHEAD_MS_MAX;
        const atMs = Math.max(1_000, dueMs - earlyMs);
        const frames = Array.from({ length: index }, (_, i) =>
          packet(1_000 + Math.max(0, i * PACKET_MS - 120), 9, i),
        );
        const trace = [opened(), sent(0), came(1_000, message(9)), ...frames, packet(atMs, 9, index)];
        expect(kindsOf(trace).includes("packet_early")).toBe(atMs < dueMs);
      }),
    );
  });
});

test("a user's name is no key of another network's", () => {
  const other = { network: "other", username: ANN.username };
  expect(kindsOf([...conversation(), came(2_000, text("r1"), { user: other })])).toContain("foreign_user");
});
