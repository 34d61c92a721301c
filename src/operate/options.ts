/** Settings of operations: whether anything may be done by voice, what consent takes, and how to switch it all off. */
import { z } from "zod";

const file = z.string().min(1).optional();

const irreversible = z.enum(["second_person", "refused"]);
const disruptive = z.enum(["challenge", ...irreversible.options]);
const reversible = z.enum(["plain", ...disruptive.options]);

const levels = z.strictObject({
  reversible: reversible.default("plain").describe("What can be undone."),
  disruptive: disruptive.default("challenge").describe("What interrupts work."),
  irreversible: irreversible.default("second_person").describe("What nothing brings back."),
});

export const operateOptions = z.strictObject({
  mode: z
    .enum(["off", "dry_run", "on"])
    .default("off")
    .describe(
      "`off`: nothing is done. `dry_run`: everything but the calls. `on`: what is consented to is done.",
    ),
  levels: levels
    .prefault({})
    .describe("What consent takes, by the effect of a tool; less than the default cannot be set."),
  rough_recogniser: z
    .enum(["auto", "yes", "no"])
    .default("auto")
    .describe(
      "Whether speech is understood too roughly for more than plain consent. `auto`: the offline recogniser.",
    ),
  ledger_key_file: file.describe(
    "File of the private key (Ed25519, PEM) that signs the ledger. Default: `<data_dir>/ledger/key.pem`, made when it is missing.",
  ),
  off_file: file.describe(
    "While this file exists, nothing is done, whoever asks. Default: `<data_dir>/operate.off`.",
  ),
});
