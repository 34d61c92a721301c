/** Target of what a message needs: rules, classifier, references to what was said before. */
import { loadClassifier, type RouteClassifier } from "../../../src/routing/classifier.js";
import { ellipsisOf, refersBack } from "../../../src/routing/reference.js";
import { ruledCapability } from "../../../src/routing/rules.js";
import { commandIn, utterance } from "../../../src/routing/utterance.js";
import { must, type Target } from "../target.js";

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
    ], // prettier-ignore
    charsMax: 800,
    check(input) {
      const said = utterance(input);
      ruledCapability(input, said);
      commandIn(said);
      ellipsisOf(said);
      refersBack(said);
      const guesses = classifier.guesses(said.core);
      const sum = guesses.reduce((total, { confidence }) => total + confidence, 0);
      must(Math.abs(sum - 1) < 1e-6, `the probabilities are ${sum} together`);
    },
  };
}
