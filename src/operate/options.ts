/** Settings of operations: whether anything may be done by voice, what consent takes, and how to switch it all off. */
import { z } from "zod";

const levels = z.strictObject({
  reversible: z
    .enum(["plain", "challenge", "second_person", "refused"])
    .default("plain")
    .describe("What can be undone."),
  disruptive: z
    .enum(["challenge", "second_person", "refused"])
    .default("challenge")
    .describe("What interrupts work."),
  irreversible: z
    .enum(["second_person", "refused"])
    .default("second_person")
    .describe("What nothing brings back."),
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
  ledger_key_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      "File of the private key (Ed25519, PEM) that signs the ledger. Default: `<data_dir>/ledger.key`.",
    ),
  off_file: z
    .string()
    .min(1)
    .optional()
    .describe("While this file exists, nothing is done, whoever asks. Default: `<data_dir>/operate.off`."),
});
