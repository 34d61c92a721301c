import { expect, it } from "vitest";
import { withPartReplaced } from "./replaced.js";

it.each([
  ["And for tier 2?", "What is the time target for tier 1?", "What is the time target for tier 2?"],
  [
    "And the heavy truck?",
    "How much coolant does the light truck take?",
    "How much coolant does the heavy truck take?",
  ],
  ["And to L3?", "When do I escalate to L2?", "When do I escalate to L3?"],
  [
    "And spectinomycin?",
    "What is the concentration of kanamycin?",
    "What is the concentration of spectinomycin?",
  ],
  [
    "And with antibiotics?",
    "How long do plates without antibiotics last?",
    "How long do plates with antibiotics last?",
  ],
  ["And in the yard?", "How fast may I drive in the hall?", "How fast may I drive in the yard?"],
  [
    "And with a helper, he is new here?",
    "How many crates does the lift take?",
    "How many crates does the lift take with a helper?",
  ],
  ["What about the snapshots?", "How long do we keep the backups?", "How long do we keep the snapshots?"],
])("takes %j after %j for %j", (question, prior, whole) => {
  expect(withPartReplaced(question, prior)).toBe(whole);
});

it.each([
  ["And then?", "When do I escalate to L2?"],
  ["Why?", "When do I escalate to L2?"],
  ["And who repairs the press?", "How long does the press check take?"],
  ["And how long does it take?", "How much oil does the press take?"],
  ["And what do I do with the old oil when it is cold outside?", "How do I drain the oil?"],
  ["And at night?", "Who signs the log?"],
])("leaves %j after %j to be read with it", (question, prior) => {
  expect(withPartReplaced(question, prior)).toBeUndefined();
});
