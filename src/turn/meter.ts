/** Where one turn's time and tokens went: listens to what the turn tells, and passes it on. */
import type { AnswerUsage } from "../domain/answer-report.js";
import type { Telemetry, TelemetryEvent } from "../telemetry/events.js";
import type { TurnWaterfall } from "./waterfall.js";

export class TurnMeter implements Telemetry {
  readonly #timingsMs: Record<string, number> = {};
  #usage: AnswerUsage = { inputTokens: 0, outputTokens: 0 };
  /** Who wrote last. */
  model = "none";

  constructor(
    private readonly telemetry: Telemetry,
    readonly waterfall: TurnWaterfall,
  ) {}

  emit(event: TelemetryEvent): void {
    this.waterfall.hear(event);
    if (event.type === "stage_finished") {
      this.#timingsMs[event.stage] = (this.#timingsMs[event.stage] ?? 0) + event.ms;
    } else if (event.type === "tokens_used") {
      this.model = event.model ?? this.model;
      this.#usage = {
        inputTokens: this.#usage.inputTokens + event.inputTokens,
        outputTokens: this.#usage.outputTokens + event.outputTokens,
        ...costOf(this.#usage, event.costUsd),
      };
    }
    this.telemetry.emit(event);
  }

  /** Milliseconds by stage; a stage that ran twice has both. */
  get timingsMs(): Readonly<Record<string, number>> {
    return this.#timingsMs;
  }

  get usage(): AnswerUsage {
    return this.#usage;
  }
}

/** Costs add up as long as all of them are known. */
function costOf({ inputTokens, costUsd }: AnswerUsage, more: number | undefined): { costUsd?: number } {
  const before = inputTokens === 0 ? 0 : costUsd;
  return before === undefined || more === undefined ? {} : { costUsd: before + more };
}
