/**
 * What parsing has in common in both directions: the JSON object of an envelope, its command, its request id and whom
 * it is about ([LT-33], [LT-40] to [LT-42]).
 */
import type { JsonEnvelope, UserIdentity } from "./envelope.js";
import { EncodeError, type ErrorCode } from "./errors.js";
import { isJsonObject, type JsonObject, Parameters, preview, Refusal } from "./parameters.js";
import { decodeUtf8 } from "./utf8.js";

/** A command that is not carried out. The connection lives on. */
export interface CommandRefusal {
  readonly type: "refused";
  readonly code: ErrorCode;
  /** For a person: what is wrong and what is expected. */
  readonly error: string;
  /** Whom an error is addressed to; absent where the frame does not say it validly. */
  readonly identity?: UserIdentity | undefined;
  readonly connectionId?: string | undefined;
  readonly requestId?: string | undefined;
}

/** What one command's parser is given. */
export interface CommandInput {
  readonly parameters: Parameters;
  readonly requestId: string | undefined;
  readonly envelope: JsonEnvelope;
}

/** An envelope that says nothing. */
const EMPTY_ENVELOPE: JsonEnvelope = {
  contentType: "json",
  network: undefined,
  username: undefined,
  connectionId: undefined,
  messageId: undefined,
  packetId: undefined,
  payload: new Uint8Array(0),
};

/** Gives the command and whatever its direction adds to it, or throws a Refusal. */
export type CommandParser<Parsed extends object> = (input: CommandInput) => Parsed;

/**
 * Parses `envelope` with the parser that `parsers` has for its command. `keep_alive` is looked at no further than its
 * name: it is echoed as it is.
 */
export function parseCommand<Parsed extends object>(
  envelope: JsonEnvelope,
  parsers: ReadonlyMap<string, CommandParser<Parsed>>,
): ({ readonly type: "command" } & Parsed) | CommandRefusal {
  let parameters = new Parameters({});
  try {
    parameters = new Parameters(parseObject(envelope.payload));
    const name = parameters.string("command", "the name of a command");
    const parser = parsers.get(name);
    if (parser === undefined) {
      const known = [...parsers.keys()].join(", ");
      throw new Refusal("unknown_command", `command ${preview(name)} is not known here; known are: ${known}`);
    }
    const requestId = name === "keep_alive" ? undefined : parameters.requestId();
    return { type: "command", ...parser({ parameters, requestId, envelope }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      type: "refused",
      code: error.code,
      error: error.message,
      identity: addressee(envelope, parameters, error.code),
      connectionId: envelope.connectionId,
      requestId: unlessRefused(() => parameters.requestId()),
    };
  }
}

/** Holds a payload that is about to be sent to the parser's own rules. Throws EncodeError where one is broken. */
export function assertParses(
  payload: { readonly command: string },
  parsers: ReadonlyMap<string, CommandParser<object>>,
): void {
  const parameters = new Parameters(payload as JsonObject);
  try {
    parsers.get(payload.command)!({
      parameters,
      requestId: parameters.requestId(),
      envelope: EMPTY_ENVELOPE,
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new EncodeError("bad_parameter", error.message);
  }
}

/** The user that a command is about: from the header, the payload or both, which then must agree ([LT-33]). */
export function readIdentity({ envelope, parameters }: CommandInput): UserIdentity {
  return {
    network: sameName("network", envelope.network, parameters.optionalName("network")),
    username: sameName("username", envelope.username, parameters.optionalName("username")),
  };
}

function sameName(name: string, inHeader: string | undefined, inPayload: string | undefined): string {
  const value = inHeader ?? inPayload;
  if (value === undefined) {
    const key = name === "network" ? "nw" : "un";
    throw new Refusal(
      "missing_parameter",
      `parameter ${JSON.stringify(name)} is missing; expected it in the payload, or as ${key} in the header`,
    );
  }
  if (inPayload !== undefined && inPayload !== value) {
    throw new Refusal(
      "identity_mismatch",
      `parameter ${JSON.stringify(name)} is not the one in the header; expected the same in both, or only one of them`,
    );
  }
  return value;
}

/** Whom a refusal is addressed to; where header and payload disagree only the header counts ([LT-34]). */
function addressee(
  envelope: JsonEnvelope,
  parameters: Parameters,
  code: ErrorCode,
): UserIdentity | undefined {
  const inPayload = code === "identity_mismatch" ? new Parameters({}) : parameters;
  const network = envelope.network ?? unlessRefused(() => inPayload.optionalName("network"));
  const username = envelope.username ?? unlessRefused(() => inPayload.optionalName("username"));
  return network === undefined || username === undefined ? undefined : { network, username };
}

function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return undefined; // reported already, or of no interest beside what is
    throw error;
  }
}

function parseObject(payload: Uint8Array): JsonObject {
  const text = decodeUtf8(payload);
  if (text === undefined)
    throw new Refusal("bad_json", "the payload is not UTF-8; expected a JSON object in UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal("bad_json", "the payload is not JSON; expected a JSON object");
  }
  if (!isJsonObject(value))
    throw new Refusal("bad_json", "the payload is JSON but no object; expected a JSON object");
  return value;
}
