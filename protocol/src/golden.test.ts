/** The golden vectors: every one whole, one byte at a time, and cut in two at every byte. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { decodeChunks, oneByOne } from "./decode-chunks.test-util.js";
import { EnvelopeDecoder } from "./decoder.js";
import type { JsonEnvelope } from "./envelope.js";
import {
  type CommandExpectation,
  envelopeVectors,
  relayVectors,
  serviceVectors,
} from "./golden.test-util.js";
import { toVector } from "./naive.test-util.js";
import { parseRelayCommand } from "./relay-commands.js";
import { parseServiceCommand } from "./service-commands.js";

describe("envelopes", () => {
  test.each(envelopeVectors)("$name", ({ bytes, expect: expected }) => {
    expect(decodeChunks([bytes])).toEqual(expected);
  });
});

describe("relay commands", () => {
  test.each(relayVectors)("$name", ({ bytes, expect: expected }) => {
    const result = parseRelayCommand(onlyEnvelope(bytes));
    if (result.type === "command") expect(toVector({ command: result.command })).toEqual(expected);
    else expect(toExpectation(result)).toEqual(expected);
  });
});

describe("service commands", () => {
  test.each(serviceVectors)("$name", ({ bytes, expect: expected }) => {
    const result = parseServiceCommand(onlyEnvelope(bytes));
    if (result.type === "refused") return expect({ refused: result.code }).toEqual(expected);
    const { network, username, connectionId } = result.route;
    expect(toVector({ command: result.command, route: { network, username, connectionId } })).toEqual(
      expected,
    );
  });
});

describe("split", () => {
  const vectors = [...envelopeVectors, ...relayVectors, ...serviceVectors];

  test.each(vectors)("$name one byte at a time", ({ bytes }) => {
    expect(decodeChunks(oneByOne(bytes))).toEqual(decodeChunks([bytes]));
  });

  test.each(vectors)("$name at every byte", ({ bytes }) => {
    const whole = JSON.stringify(decodeChunks([bytes]));
    for (let at = 0; at <= bytes.length; at++) {
      const split = JSON.stringify(decodeChunks([bytes.subarray(0, at), bytes.subarray(at)]));
      if (split !== whole) expect.fail(`split at ${at}: ${split.slice(0, 200)}`);
    }
  });

  test("every well-formed vector behind every other, in one chunk", () => {
    const complete = envelopeVectors.filter(
      ({ name, expect: { end } }) => end === "incomplete" && !name.startsWith("cut-"),
    );
    for (const first of complete) {
      for (const second of complete) {
        const joined = decodeChunks([Buffer.concat([first.bytes, second.bytes])]);
        expect(joined.envelopes.length).toBe(first.expect.envelopes.length + second.expect.envelopes.length);
      }
    }
  });
});

test("the files are what the generator writes", () => {
  const generator = fileURLToPath(new URL("../golden/generate.mjs", import.meta.url));
  expect(execFileSync(process.execPath, [generator, "--check"], { encoding: "utf8" })).toContain(": 0 files");
});

test("every clause that code, tests and vectors cite is in the specification, once", () => {
  const here = new URL(".", import.meta.url);
  const sources = readdirSync(here).map((file) => readFileSync(new URL(file, here), "utf8"));
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const clauses = [...readme.matchAll(/^\*\*\[(LT-\d+)\]\*\*/gm)].map((match) => match[1]!);
  expect(new Set(clauses).size).toBe(clauses.length);
  const cited = [readme, ...sources].flatMap((text) => text.match(/LT-\d+/g) ?? []);
  const shown = [...envelopeVectors, ...relayVectors, ...serviceVectors].flatMap((vector) => vector.clauses);
  expect(new Set([...cited, ...shown].filter((clause) => !clauses.includes(clause)))).toEqual(new Set());
});

function onlyEnvelope(bytes: Uint8Array): JsonEnvelope {
  const decoder = new EnvelopeDecoder();
  decoder.push(bytes);
  const result = decoder.next();
  if (result.type !== "envelope" || result.envelope.contentType !== "json")
    throw new Error("not one JSON frame");
  expect(decoder.next()).toEqual({ type: "incomplete" });
  return result.envelope;
}

function toExpectation(refused: {
  code: string;
  identity?: object | undefined;
  connectionId?: string | undefined;
  requestId?: string | undefined;
}): CommandExpectation {
  const { code, identity, connectionId, requestId } = refused;
  return toVector({ refused: code, identity, connectionId, requestId }) as CommandExpectation;
}
