/** Twice the text takes at most two and a half times as long, whatever the text: attached, written by models, read. */
import { holdsDoubling } from "../../test/support/doubling.js";
import { passage } from "../../test/support/fake-retrieval.js";
import { locales } from "../../test/support/locales.js";
import { oldRevisionIn } from "../grounding/checkers/old-revision.js";
import { sourceAloud } from "../grounding/checkers/source.js";
import { splitSentences } from "../lib/sentence-end.js";
import { attachments } from "./attachments.js";
import { historyWithinBudget, TokenBudget } from "./budget.js";
import { centralSentences } from "./central-sentences.js";
import { ClaimReader } from "./claims.js";
import { dataSentences } from "./data-sentences.js";
import { namedDocument } from "./named-document.js";
import { premiseOf } from "./premise.js";
import { withPartReplaced } from "./replaced.js";
import { retell } from "./retelling.js";
import { respelled } from "./spelling.js";
import { candidatesOf } from "./suggestion-templates.js";
import { isCourtesy } from "./talk-intent.js";

const QUESTION = { charsMax: 4_000 };
/** Of a model's reply, and of what may be attached. */
const REPLY = { charsMax: 16_000 };

const usual = locales.of("en");
const access = { network: "acme", visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
const document = (title: string) => ({ documentId: "d", title, headings: [title, title], access });

holdsDoubling("attachments", (text) => attachments({ selectedText: text, editorContent: text }));
holdsDoubling("attachments of data", (text) => attachments({ extraContext: JSON.stringify({ a: text }) }));
holdsDoubling("dataSentences", (text) => dataSentences(JSON.stringify([text, { [text]: text }])));
holdsDoubling("dataSentences of many values", (text) => dataSentences(JSON.stringify(text.split(" "))));
holdsDoubling("historyWithinBudget", (text) => historyWithinBudget([{ role: "user", text, sources: [] }]));
holdsDoubling("TokenBudget", (text) => new TokenBudget(2_500).take(text));
holdsDoubling("ClaimReader", (text) => {
  const reader = new ClaimReader();
  const written = `{"claims":[{"text":${JSON.stringify(text)},"passage":1,"quote":""}`;
  for (let at = 0; at < written.length; at += 4) reader.push(written.slice(at, at + 4));
});
holdsDoubling("premiseOf", (text) => [premiseOf(`Why do we ${text}`), premiseOf(`Since ${text}`)], QUESTION);
holdsDoubling(
  "respelled by passages",
  (text) => respelled("Where is the fire extingusher in bulding four?", [passage("one", `${text} ${text}`)]),
  REPLY,
);
holdsDoubling("respelled", (text) => respelled(text, [passage("one", "The pump runs at noon.")]), QUESTION);
holdsDoubling("isCourtesy", (text) => isCourtesy(text), QUESTION);
holdsDoubling(
  "oldRevisionIn",
  (text) => oldRevisionIn(text, [passage("one", "", { revision: "3" })], usual),
  QUESTION,
);
holdsDoubling(
  "sourceAloud",
  (text) => sourceAloud(passage("one", "", { title: text, headings: [text] }), usual),
  {
    charsMax: 500,
  },
);
holdsDoubling("namedDocument, by its name", (text) => namedDocument(text, [document("Cold room")]), QUESTION);
holdsDoubling("namedDocument, by a title", (text) => namedDocument("cold room", [document(text)]));
holdsDoubling("candidatesOf", (text) => candidatesOf([document(text)], usual, usual));
holdsDoubling("centralSentences", (text) => centralSentences(splitSentences(text), 5));
holdsDoubling(
  "retell",
  (text) => {
    const claims = splitSentences(text).map((one) => ({ text: one.trim(), said: true }));
    const claimed = claims.filter((claim) => claim.text !== "");
    const answer = { text: text.trim(), claims: claimed } as unknown as Parameters<typeof retell>[0];
    return [...retell(answer)];
  },
  REPLY,
);
holdsDoubling(
  "withPartReplaced",
  (text) => withPartReplaced(`And for ${text}?`, `What is it for ${text}?`),
  QUESTION,
);
