/** Twice the text takes at most two and a half times as long, whatever the text: each layer of the router. */
import { holdsDoubling } from "../../test/support/doubling.js";
import { hasUsageData } from "../locale/usage-figures.js";
import { refersToText } from "./attachments.js";
import { loadClassifier, textHash } from "./classifier.js";
import { utterance } from "./normalized-message.js";
import { topicOf } from "./past-routes.js";
import { ellipsisOf, refersBack } from "./reference.js";
import { mayReport } from "./report.js";
import { routeByPrefix, ruledCapability } from "./rules.js";
import { take } from "./take.js";

const QUESTION = { charsMax: 4_000 };

const classifier = await loadClassifier();
const ROUTES = [{ name: "p", capability: "platform", prefixes: ["account: "] }] as unknown as Parameters<
  typeof routeByPrefix
>[0];

holdsDoubling("utterance", (text) => utterance(text), QUESTION);
holdsDoubling("the command in it", (text) => utterance(text).command, QUESTION);
holdsDoubling("routeByPrefix", (text) => routeByPrefix(ROUTES, text), QUESTION);
holdsDoubling("hasUsageData", (text) => hasUsageData(text), QUESTION);
holdsDoubling("ruledCapability", (text) => ruledCapability(text, utterance(text)), QUESTION);
holdsDoubling("refersToText", (text) => refersToText(utterance(text)), QUESTION);
holdsDoubling(
  "ellipsisOf and refersBack",
  (text) => {
    const said = utterance(`and for ${text}`);
    return [ellipsisOf(said), refersBack(said)];
  },
  QUESTION,
);
holdsDoubling("guesses", (text) => classifier.guesses(utterance(text).core), QUESTION);
holdsDoubling("textHash", (text) => textHash(text), QUESTION);
holdsDoubling("topicOf", (text) => topicOf(text), { charsMax: 16_000 });
const PENDING = {
  ...{ type: "question", turn: "t", untilMs: 1, sources: [], asked: "", words: "" },
  ...{
    route: "knowledge",
    options: ["Cold room 1", "Cold room 2"].map((words) => ({
      words,
      means: { type: "question", question: "" },
    })),
  },
} as unknown as Parameters<typeof take>[0][number];
holdsDoubling("take", (text) => take([PENDING], text), QUESTION);
holdsDoubling("mayReport", (text) => mayReport(text), { charsMax: 4_000 });
