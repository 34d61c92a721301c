/** The figures of a relay connection, in one place, with the relations that must hold between them. */
import assert from "node:assert/strict";
import { HEADER_BYTES_MAX, JSON_PAYLOAD_BYTES_MAX } from "@readback/protocol";

/** Frames waiting for one relay, in bytes. */
export const OUTBOX_BYTES_MAX = 4 * 1024 * 1024;

/** How old the oldest waiting frame may get before the outbox counts as full. */
export const OUTBOX_AGE_MS_MAX = 5_000;

/** A relay whose outbox stays full for this long is disconnected. */
export const OUTBOX_FULL_MS_MAX = 10_000;

/** A relay that promised to echo and leaves what it was sent unread for this long is disconnected [LT-105]. */
export const UNREAD_MS_MAX = 10_000;

/** Bytes that a socket holds unwritten, give or take a frame; the rest waits where it can still be taken back. */
export const SOCKET_UNWRITTEN_BYTES_MAX = 64 * 1024;

/** Bytes in the outboxes of all connections of one address; beyond that the connection with the fullest one is ended. */
export const OUTBOX_BYTES_PER_ADDRESS_MAX = 64 * 1024 * 1024;

/** Bytes that have come and wait to be dealt with, give or take one read; then the socket is not read. */
export const INBOX_BYTES_MAX = 64 * 1024;

/** How long a connection's frames may keep the others waiting, in milliseconds, give or take a frame. */
export const INBOX_TURN_MS = 2;

/** What an address or a connection has not sent lately it may send at once, for so long. */
export const BURST_SECONDS = 2;

/** What a refused command counts for in the budget of frames: refusing is not cheaper than taking. */
export const REFUSED_FRAMES = 10;

/** Refused commands without one that is taken; then the connection is ended. */
export const REFUSED_IN_A_ROW_MAX = 1_000;

/** Characters (UTF-16 code units) of one answer as text; what is longer is cut, so that a frame can carry it. */
export const TEXT_CHARACTERS_MAX = 40_000;

/** We say `keep_alive` after this much silence of our own. */
export const KEEP_ALIVE_AFTER_MS = 60_000;

/** How long a relay that needs a token may stay without one [LT-48]. */
export const HELLO_MS_MAX = 10_000;

/** How often connections are looked after: idle ones, silent ones, full outboxes. */
export const CARE_INTERVAL_MS = 1_000;

/** How long the last frames of a closing connection may take to leave. */
export const CLOSE_GRACE_MS = 1_000;

/** A control character is written as `\u001f`. */
const JSON_BYTES_PER_CHARACTER_MAX = 6;

assert(
  OUTBOX_BYTES_MAX >= 8 * (HEADER_BYTES_MAX + JSON_PAYLOAD_BYTES_MAX),
  "an outbox holds several of the largest frames",
);
assert(
  TEXT_CHARACTERS_MAX * JSON_BYTES_PER_CHARACTER_MAX + HEADER_BYTES_MAX <= JSON_PAYLOAD_BYTES_MAX,
  "the longest text fits a frame, with everything else that its payload says",
);
assert(SOCKET_UNWRITTEN_BYTES_MAX < OUTBOX_BYTES_MAX, "most of what waits can be taken back");
assert(
  OUTBOX_BYTES_PER_ADDRESS_MAX >= 8 * OUTBOX_BYTES_MAX,
  "an address has several relays that do not read",
);
assert(CARE_INTERVAL_MS < OUTBOX_AGE_MS_MAX, "age is noticed in time");
