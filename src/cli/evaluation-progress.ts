/** How far an evaluation is: one line that is drawn over; nothing at all where nobody watches. */
import type { RowStatus } from "../store/evaluation-runs.js";

export class EvaluationProgress {
  #done = 0;
  #total = 0;

  constructor(private readonly terminal: NodeJS.WriteStream) {}

  start(total: number, done: number): void {
    this.#total = total;
    this.#done = done;
    this.#draw();
  }

  /** What a row has come to; one that waits for another attempt is not done. */
  note(status: RowStatus): void {
    if (status === "done" || status === "failed") this.#done += 1;
    this.#draw();
  }

  clear(): void {
    if (this.terminal.isTTY) this.terminal.write("\r\u001b[K");
  }

  #draw(): void {
    if (this.terminal.isTTY) this.terminal.write(`\rasking: ${this.#done}/${this.#total}\u001b[K`);
  }
}
