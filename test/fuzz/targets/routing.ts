/** Target of what a message is: a reply to what was asked back, a report, a command, a kind of question. */
import type { PendingQuestion } from "../../../src/domain/dialogue.js";
import { loadClassifier, type RouteClassifier } from "../../../src/routing/classifier.js";
import { utterance } from "../../../src/routing/normalized-message.js";
import { ellipsisOf, refersBack } from "../../../src/routing/reference.js";
import { mayReport } from "../../../src/routing/report.js";
import { ruledCapability } from "../../../src/routing/rules.js";
import { take } from "../../../src/routing/take.js";
import { must, type Target } from "../target.js";

const PENDING: PendingQuestion = {
  type: "question",
  turn: "t-1",
  untilMs: 1,
  sources: [],
  asked: "How do I start it?",
  route: "knowledge",
  words: "Starting the parts washer, or pump 2?",
  options: ["Starting the parts washer", "Starting pump 2"].map((words) => ({
    words,
    means: { type: "question", question: words },
  })),
};

/** With the classifier that is shipped. */
export async function routing(): Promise<Target> {
  return routingWith(await loadClassifier());
}

function routingWith(classifier: RouteClassifier): Target {
  return {
    name: "routing",
    seeds: [
      "Could you please tell me how deep the pit is?",
      "and for pump 4?",
      "Start the conveyor, then check the oil. We've used 85% of our API quota.",
      "repite eso, por favor",
    ],
    words: [
      "please",
      "uh",
      "hey assistant",
      "start",
      "stop",
      "switch off",
      "is it running",
      "how do I",
      "repeat",
      "yes",
      "no",
      "the same for",
      "what about",
      "walk me through",
      "summarize",
      "thanks",
      "quota: 85%",
      "tokens",
      "my account",
      "don't",
      "won't",
      "what's",
      "por favor",
      "erkläre",
      "¿",
      "next step",
      "the second one",
      "somebody",
      "is stuck",
    ], // prettier-ignore
    charsMax: 800,
    check(input) {
      const said = utterance(input);
      ruledCapability(input, said);
      said.command;
      ellipsisOf(said);
      refersBack(said);
      mayReport(input);
      take([PENDING], input);
      const guesses = classifier.guesses(said.core);
      const sum = guesses.reduce((total, { confidence }) => total + confidence, 0);
      must(Math.abs(sum - 1) < 1e-6, `the probabilities are ${sum} together`);
    },
  };
}
