/** Spoken questions, and what is done to answer them by voice in good time, as Prometheus metrics. */
import { Counter, Histogram, type Registry } from "prom-client";
import type { Subscriber } from "./events.js";

/** Seconds: 50 ms to 60 s. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 60];

const MS_PER_SECOND = 1_000;

/** Registers the metrics, and gives back who counts them. */
export function voiceMetrics(registry: Registry): Subscriber {
  const registers = [registry];
  const questions = new Counter({
    name: "readback_voice_questions_total",
    help: "Spoken questions, by what came of understanding them",
    labelNames: ["result"],
    registers,
  });
  const failures = new Counter({
    name: "readback_recognition_failures_total",
    help: "Times that the speech recogniser could not be asked",
    registers,
  });
  const length = new Histogram({
    name: "readback_voice_question_seconds",
    help: "Length of spoken questions",
    buckets: BUCKETS,
    registers,
  });
  const recognition = new Histogram({
    name: "readback_recognition_seconds",
    help: "From the release of the button to the words",
    buckets: BUCKETS,
    registers,
  });
  const lookUps = new Counter({
    name: "readback_speech_cache_lookups_total",
    help: "Texts to be spoken, by whether they had been spoken before or were being spoken for somebody else",
    labelNames: ["result"],
    registers,
  });
  const acknowledgements = new Counter({
    name: "readback_acknowledgements_total",
    help: "Signs given before answers that were expected to take long",
    labelNames: ["sign"],
    registers,
  });
  const earlyClauses = new Counter({
    name: "readback_early_clauses_total",
    help: "First clauses whose voice was made ready before their sentence was checked, by whether they were of use",
    labelNames: ["result"],
    registers,
  });
  return (event) => {
    switch (event.type) {
      case "early_clause_ended":
        return earlyClauses.inc({ result: event.result });
      case "speech_looked_up":
        return lookUps.inc({ result: event.result });
      case "acknowledged":
        return acknowledgements.inc({ sign: event.sign });
      case "voice_received":
        return length.observe(event.audioMs / MS_PER_SECOND);
      case "speech_recognised":
        questions.inc({ result: event.result });
        return recognition.observe(event.ms / MS_PER_SECOND);
      case "recognition_failed":
        return failures.inc();
      default:
        return; // Not of voice.
    }
  };
}
