/** Targets of bytes: the decoder of frames, the parser of commands, the demultiplexer of Ogg. */
import { isDeepStrictEqual } from "node:util";
import { OggOpusDemuxer, type OggOpusEvent } from "@readback/audio";
import {
  type Envelope,
  EnvelopeDecoder,
  encodeEnvelope,
  encodeRelayCommand,
  type JsonEnvelope,
  parseRelayCommand,
  parseServiceCommand,
} from "@readback/protocol";
import { seededRandom } from "../../../src/lib/random.js";
import { below } from "../mutator.js";
import { must, type Target } from "../target.js";

const FRAME_WORDS = [
  "LT\n",
  "ct:json\n",
  "ct:a\n",
  "cl:",
  "cl:0\n",
  "cl:5\n",
  "nw:acme\n",
  "un:ann\n",
  "cid:c\n",
  "mid:1\n",
  "pid:0\n",
  "mid:4294967296\n",
  "nw:\n",
  "un:\n",
  "cid:\n",
  "mid:\n",
  "pid:\n",
  "cl:262145\n",
  "\n\n",
  ":",
  "\r",
  "\0",
  "\xff",
  "\xc3\xa9",
  "\xed\xa0\x80",
]; // prettier-ignore

const JSON_WORDS = [
  '"command":"ai_message"',
  '"command":"message"',
  '"command":"hello"',
  '"command":"cancel"',
  '"command":"get_chat"',
  '"command":"end_message"',
  '"command":"text_message"',
  '"command":"chat"',
  '"text":"a"',
  '"message_id":1',
  '"codec":"opus"',
  '"codec_header":"gLsBFA=="',
  '"duration":20',
  '"network":"acme"',
  '"username":"ann"',
  '"groups":["a"]',
  '"language":"de-AT"',
  '"f":"kiosk"',
  '"mode":"ai_onboarding"',
  '"request_id":"r"',
  '"response_type":"audio"',
  '"audio":[{"sample_rate":48000,"frame_ms":20}]',
  "null",
  "-1",
  "1e9",
  "[]",
  "{}",
  "\\ud800",
  "true",
]; // prettier-ignore

const MESSAGE = JSON.stringify({
  command: "ai_message",
  network: "acme",
  username: "ann",
  text: "How deep?",
  response_type: "audio",
  groups: ["welders"],
});
const VOICE = JSON.stringify({
  command: "message",
  network: "acme",
  username: "ann",
  message_id: 7,
  codec: "opus",
  codec_header: "gLsBFA==",
  duration: 20,
});
const HELLO = JSON.stringify({ command: "hello", audio: [{ sample_rate: 48_000, frame_ms: 20 }] });

export const decoder: Target = {
  name: "decoder",
  seeds: [
    `LT\nct:json\ncl:${MESSAGE.length}\nnw:acme\nun:ann\n\n${MESSAGE}`,
    "LT\nct:a\ncl:3\nnw:acme\nun:ann\ncid:c-1\nmid:7\npid:0\n\nabcLT\nct:json\ncl:2\n\n{}",
  ],
  words: FRAME_WORDS,
  charsMax: 2_000,
  check(input) {
    const bytes = Buffer.from(input, "latin1");
    const whole = decoded([bytes]);
    must(isDeepStrictEqual(decoded(cut(bytes)), whole), "in pieces it means something else");
    for (const envelope of whole.envelopes) {
      const [again] = decoded([encodeEnvelope(envelope)]).envelopes;
      must(isDeepStrictEqual(again, envelope), "an envelope that is written again is another one");
    }
  },
};

const UNROUTED = {
  network: undefined,
  username: undefined,
  connectionId: undefined,
  messageId: undefined,
  packetId: undefined,
};

export const commands: Target = {
  name: "commands",
  seeds: [MESSAGE, VOICE, HELLO, '{"command":"chat_closed","reason":"expired","network":"a","username":"b"}'],
  words: JSON_WORDS,
  charsMax: 1_000,
  check(input) {
    const payload = Buffer.from(input, "utf8");
    const envelope: JsonEnvelope = { contentType: "json", payload, ...UNROUTED };
    for (const parse of [parseRelayCommand, parseServiceCommand]) {
      const result = parse(envelope);
      if (result.type === "refused") must(result.error.length < 500, "a refusal is a short text");
    }
    const read = parseRelayCommand(envelope);
    if (read.type !== "command") return;
    const [again] = decoded([encodeRelayCommand(read.command)]).envelopes;
    must(again?.contentType === "json", "a command that is written again is no command");
    must(isDeepStrictEqual(parseRelayCommand(again), read), "a command that is written again is another one");
  },
};

/** What may be held back: the longest header packet, and the header of a page. */
const OGG_BUFFERED_BYTES_MAX = 2 ** 20;

export const ogg: Target = {
  name: "ogg",
  seeds: [oggPages()],
  words: ["OggS", "OggS\0\x02", "OpusHead", "OpusTags", "\xff\xff", "\0\0\0\0", "\xfc", "\x01\x38\x01"],
  charsMax: 3_000,
  check(input) {
    const bytes = Buffer.from(input, "latin1");
    for (const checkCrc of [false, true]) {
      const whole = demuxed([bytes], checkCrc);
      must(isDeepStrictEqual(demuxed(cut(bytes), checkCrc), whole), "in pieces it holds something else");
      const packetBytes = whole.reduce(
        (sum, event) => sum + (event.type === "packet" ? event.data.length : 0),
        0,
      );
      must(packetBytes <= bytes.length, "there is more in it than it is long");
      must(
        whole.slice(0, -1).every(({ type }) => type !== "malformed"),
        "it goes on after what is malformed",
      );
    }
  },
};

function decoded(chunks: Iterable<Uint8Array>): {
  readonly envelopes: readonly Envelope[];
  readonly end: unknown;
} {
  const machine = new EnvelopeDecoder();
  const envelopes: Envelope[] = [];
  let end: unknown = machine.next();
  for (const chunk of chunks) {
    machine.push(chunk);
    let result = machine.next();
    for (; result.type === "envelope"; result = machine.next())
      envelopes.push(structuredClone(result.envelope));
    end = result;
  }
  return { envelopes, end };
}

function demuxed(chunks: Iterable<Uint8Array>, checkCrc: boolean): OggOpusEvent[] {
  const machine = new OggOpusDemuxer({ checkCrc });
  const events: OggOpusEvent[] = [];
  for (const chunk of chunks) {
    events.push(...machine.push(chunk));
    must(machine.bufferedBytes <= OGG_BUFFERED_BYTES_MAX, "it holds too much back");
  }
  events.push(...machine.end());
  return events.map((event) => structuredClone(event));
}

/** In pieces, the same for the same bytes. */
function* cut(bytes: Buffer): Generator<Buffer> {
  const random = seededRandom(bytes.length * 31 + (bytes[bytes.length >> 1] ?? 0));
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + below(below(4, random) === 0 ? 200 : 12, random);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Head, tags and three packets, a page each, without checksums. */
function oggPages(): string {
  const head = "OpusHead\x01\x01\x38\x01\x80\xbb\0\0\0\0\0";
  const tags = "OpusTags\x04\0\0\0test\0\0\0\0";
  const packets = [head, tags, "\xfcabc", "\xfcdef", "\xfcghi"];
  const flags = ["\x02", "\0", "\0", "\0", "\x04"];
  return packets
    .map((packet, i) => {
      const granule = String.fromCharCode(0, Math.max(0, i - 1) * 15);
      const sequence = `${String.fromCharCode(i)}\0\0\0`;
      const lacing = `\x01${String.fromCharCode(packet.length)}`;
      return `OggS\0${flags[i]}${granule}\0\0\0\0\0\0\x07\0\0\0${sequence}\0\0\0\0${lacing}${packet}`;
    })
    .join("");
}
