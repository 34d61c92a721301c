/** Ctrl-C and the stop signal of a supervisor as one abort signal; a second one ends the process at once. */

/** The reason with which the signal aborts. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

export interface Interruption {
  readonly signal: AbortSignal;
  /** Gives the signals back to the system's own handling. */
  dispose(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

export function listenForInterruption(): Interruption {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    dispose();
    controller.abort(new Interrupted(name));
  };
  const dispose = () => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return { signal: controller.signal, dispose };
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
