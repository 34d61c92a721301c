/** The part of the catalogue that is told for traces and scores, and of sending them. */

export type TracingEvent =
  /** A query became a vector, or did not. */
  | {
      readonly type: "query_embedded";
      readonly model: string;
      /** Absent: this process itself. */
      readonly provider?: string | undefined;
      readonly dimensions: number;
      readonly result: "ok" | "failed";
      readonly ms: number;
    }
  /** What a row of an evaluation came to, by metric; `turn` is the one that answered it. */
  | {
      readonly type: "turn_scored";
      readonly turn: string;
      readonly scores: Readonly<Record<string, number>>;
    }
  /** Spans or scores were sent, or dropped for want of room. */
  | {
      readonly type: "sink_sent";
      readonly sink: "spans" | "scores";
      readonly result: "taken" | "not_taken" | "crowded_out";
      readonly count: number;
      /** It was otherwise until now. */
      readonly isChange: boolean;
      readonly error?: string | undefined;
    };
