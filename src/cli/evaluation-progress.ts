/** How far an evaluation is: one line that is drawn over; nothing at all where nobody watches. */
import type { RowStatus } from "../store/evaluation-runs.js";
import { ProgressLine } from "./output.js";

export class EvaluationProgress {
  readonly #line = new ProgressLine();
  #done = 0;
  #total = 0;

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
    this.#line.clear();
  }

  #draw(): void {
    this.#line.show(`asking: ${this.#done}/${this.#total}`);
  }
}
