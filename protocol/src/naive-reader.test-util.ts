/** The clauses on frames ([LT-1] to [LT-32]) read once more, slowly and plainly, without a line of the package. */
import type { DecodingResult } from "./naive.test-util.js";

const HEADER_BYTES_MAX = 4_096;
const PAYLOAD_BYTES_MAX: Readonly<Record<string, number>> = { json: 262_144, a: 8_192 };
const NAMES = ["nw", "un", "cid"];
const NUMBERS = ["cl", "mid", "pid"];
const OURS = ["ct", ...NAMES, ...NUMBERS];
const UINT32_MAX = 4_294_967_295;
const LF = 10;
const COLON = 58;

/** What a stream means, in the words of the golden vectors. */
export function readPlainly(stream: Uint8Array): DecodingResult {
  const bytes = Buffer.from(stream);
  const envelopes: unknown[] = [];
  for (let at = 0; ; ) {
    const header = readHeader(bytes.subarray(at));
    if (typeof header === "string")
      return { envelopes, end: header === "incomplete" ? header : { malformed: header } };
    const from = at + header.bytes;
    const to = from + Number(header.values.get("cl"));
    if (to > bytes.length) return { envelopes, end: "incomplete" };
    envelopes.push(envelopeOf(header.values, bytes.subarray(from, to)));
    at = to;
  }
}

type Values = ReadonlyMap<string, string>;

/** The header that `bytes` begin with, or `incomplete`, or why it is malformed. */
function readHeader(bytes: Buffer): string | { readonly bytes: number; readonly values: Values } {
  for (const [i, letter] of [..."LT\n"].entries()) {
    if (bytes.length <= i) return "incomplete";
    if (bytes[i] !== letter.charCodeAt(0)) return "bad_magic";
  }
  const known = bytes.subarray(0, HEADER_BYTES_MAX);
  const unfinished = known.length === HEADER_BYTES_MAX ? "header_too_large" : "incomplete";
  const values = new Map<string, string>();
  for (let at = 3; ; ) {
    const end = known.indexOf(LF, at);
    if (end === at) return problemOfAll(values) ?? { bytes: at + 1, values };
    const line = known.subarray(at, end < 0 ? known.length : end);
    const colon = line.indexOf(COLON);
    if (colon < 0) return end < 0 ? unfinished : "missing_colon";
    const key = line.toString("latin1", 0, colon);
    const value = line.subarray(colon + 1);
    if (OURS.includes(key) && values.has(key)) return "repeated_key";
    if (NUMBERS.includes(key) && !/^[0-9]{0,10}$/.test(value.toString("latin1"))) return "bad_number";
    if (end < 0) return unfinished;
    const problem = problemOf(key, value) ?? (values.has(key) ? "repeated_key" : undefined);
    if (problem !== undefined) return problem;
    values.set(key, value.toString());
    at = end + 1;
  }
}

function problemOf(key: string, value: Buffer): string | undefined {
  const text = value.toString();
  if (key === "ct") return text in PAYLOAD_BYTES_MAX ? undefined : "bad_content_type";
  if (key === "cl") return text === "" ? "bad_number" : undefined;
  if (NUMBERS.includes(key)) return Number(text) > UINT32_MAX ? "bad_number" : undefined;
  if (!isUtf8(Buffer.from(key, "latin1")) || !isUtf8(value)) return "invalid_utf8";
  return NAMES.includes(key) && (value.length > 256 || /\p{Cc}/u.test(text)) ? "bad_name" : undefined;
}

function problemOfAll(values: Values): string | undefined {
  const needed = values.get("ct") === "a" ? ["ct", "cl", "nw", "un", "mid", "pid"] : ["ct", "cl"];
  if (needed.some((key) => (values.get(key) ?? "") === "")) return "missing_key";
  return Number(values.get("cl")) > PAYLOAD_BYTES_MAX[values.get("ct")!]! ? "payload_too_large" : undefined;
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString()).equals(bytes);
}

function envelopeOf(values: Values, payload: Buffer): object {
  const given = (key: string) => values.get(key) || undefined;
  const fields = {
    content_type: given("ct") === "a" ? "audio" : "json",
    network: given("nw"),
    username: given("un"),
    connection_id: given("cid"),
    message_id: given("mid") && Number(given("mid")),
    packet_id: given("pid") && Number(given("pid")),
    payload_hex: payload.toString("hex"),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
