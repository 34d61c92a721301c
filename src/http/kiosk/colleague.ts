/** Calls a colleague to a kiosk: a message to an address of the settings, such as a chat's incoming webhook. */
import { withDeadline } from "../../lib/deadline.js";
import type { HttpServerDeps } from "../server.js";
import type { Kiosk } from "./kiosks.js";

/** From the request to the answer. */
const CALL_MS_MAX = 5_000;

/** So long after a call that went out no other does: somebody knows already. */
const CALL_GAP_MS = 30_000;

interface Call {
  readonly atMs: number;
  /** Whether it got through. */
  readonly gotThrough: Promise<boolean>;
}

export class Colleague {
  /** The last call of each kiosk. */
  readonly #last = new WeakMap<Kiosk, Call>();

  constructor(private readonly deps: HttpServerDeps) {}

  /** Sends `{kiosk, network, text}` as JSON; false where nobody was reached. One call does for many presses. */
  async call(kiosk: Kiosk, webhook: string, text: string): Promise<boolean> {
    const nowMs = this.deps.clock.monotonic();
    const last = this.#last.get(kiosk);
    if (last !== undefined && nowMs - last.atMs < CALL_GAP_MS) return last.gotThrough;
    const call = { atMs: nowMs, gotThrough: this.#post(kiosk, webhook, text) };
    this.#last.set(kiosk, call);
    const gotThrough = await call.gotThrough;
    if (!gotThrough) this.#last.delete(kiosk);
    return gotThrough;
  }

  async #post(kiosk: Kiosk, webhook: string, text: string): Promise<boolean> {
    const { clock, telemetry } = this.deps;
    const { name, networks } = kiosk;
    const body = JSON.stringify({ kiosk: name, network: networks[0], text });
    // Who presses and walks away still wants somebody to come.
    const { signal } = new AbortController();
    try {
      await withDeadline(clock, "the call of a colleague", CALL_MS_MAX, signal, (within) =>
        post(webhook, body, within),
      );
      return true;
    } catch (error) {
      telemetry.emit({ type: "colleague_not_reached", caller: name, error: reasonOf(error) });
      return false;
    }
  }
}

async function post(address: string, body: string, signal: AbortSignal): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(address, { method: "POST", headers, body, redirect: "error", signal });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the address answers ${response.status}`);
}

/** Node's own message is "fetch failed"; what failed is its cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return String(cause instanceof Error ? cause : error);
}
