/**
 * The button that is held while speaking: by touch, mouse, or the space bar and Enter. Assistive technology that can
 * only click presses with one click and lets go with the next.
 */

export interface TalkListener {
  press(): void;
  /** `heldMs`: how long it was held. */
  release(heldMs: number): void;
  /** The press does not count: the system took the touch away, or the page was left. */
  cancel(): void;
}

const KEYS: readonly string[] = [" ", "Enter"];

export class TalkButton {
  /** What holds the button down, since when. */
  #held: { readonly by: "pointer" | "key" | "click"; readonly sinceMs: number } | undefined;

  constructor(
    private readonly button: HTMLButtonElement,
    private readonly listener: TalkListener,
  ) {
    button.addEventListener("pointerdown", (event) => this.#pointerDown(event));
    button.addEventListener("pointerup", () => this.#release("pointer"));
    button.addEventListener("pointercancel", () => this.#cancel());
    button.addEventListener("keydown", (event) => this.#keyDown(event));
    button.addEventListener("keyup", (event) => this.#keyUp(event));
    button.addEventListener("click", (event) => this.#click(event));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("blur", () => this.#cancel());
    addEventListener("blur", () => this.#cancel());
  }

  #pointerDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    // The release counts wherever the finger has slid to.
    this.button.setPointerCapture(event.pointerId);
    this.#press("pointer");
  }

  #keyDown(event: KeyboardEvent): void {
    if (!KEYS.includes(event.key)) return;
    event.preventDefault();
    if (!event.repeat) this.#press("key");
  }

  #keyUp(event: KeyboardEvent): void {
    if (!KEYS.includes(event.key)) return;
    event.preventDefault();
    this.#release("key");
  }

  #click({ detail }: MouseEvent): void {
    // With a count, it is the click that ends a press by pointer.
    if (detail > 0) return;
    if (this.#held === undefined) this.#press("click");
    else this.#release("click");
  }

  #press(by: "pointer" | "key" | "click"): void {
    if (this.#held !== undefined) return;
    this.#held = { by, sinceMs: performance.now() };
    this.listener.press();
  }

  #release(by: "pointer" | "key" | "click"): void {
    if (this.#held?.by !== by) return;
    const { sinceMs } = this.#held;
    this.#held = undefined;
    this.listener.release(performance.now() - sinceMs);
  }

  #cancel(): void {
    if (this.#held === undefined) return;
    this.#held = undefined;
    this.listener.cancel();
  }
}
