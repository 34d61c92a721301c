/** Twice the text takes at most two and a half times as long, whatever the text: what the fields of a request hold. */
import { z } from "zod";
import { holdsDoubling } from "../../test/support/doubling.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { callerNoteIn } from "./caller-note.js";
import { saidIn } from "./conversation.js";
import { attachmentFields, groupsField, parsed, textField, usernameField } from "./fields.js";
import { GivenAnswers } from "./given-answers.js";
import { Rejection } from "./rejection.js";
import { untilStop } from "./stop.js";

const fields = z.object({
  ...attachmentFields,
  groups: groupsField,
  text: textField,
  username: usernameField,
});

/** A refusal is an answer, too. */
function refused(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof Rejection) return error;
    throw error;
  }
}

holdsDoubling("parsed", (text) =>
  ["extra_context", "groups", "text", "username"].map((field) =>
    refused(() => parsed(fields.partial(), { [field]: text })),
  ),
);
holdsDoubling("callerNoteIn", (text) => refused(() => callerNoteIn(`{"username":${text}}`, "user", [])));
holdsDoubling("saidIn", (text) => refused(() => saidIn([{ role: "user", text }])));
holdsDoubling("untilStop", (text) => untilStop(text, ["x".repeat(256), "stop", "\n\n"]));
const answers = new GivenAnswers(new VirtualClock());
const identity = { user: { network: "acme", username: "ann" }, groups: [], features: [] };
holdsDoubling("recognise", (text) => answers.recognise(identity, text));
