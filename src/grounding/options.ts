/** Settings of the evidence check, as the configuration file writes them. */
import { z } from "zod";

const mode = z.enum(["aligned", "quoted"]);

export const groundingOptions = z.strictObject({
  mode: mode
    .default("aligned")
    .describe(
      "How a model's answer is tied to the documents. `aligned`: it writes plain sentences and their evidence is found; " +
        "`quoted`: it names a passage and quotes its words for each sentence, which is stricter and slower to the first word.",
    ),
  mode_by_network: z
    .record(z.string(), mode)
    .default({})
    .describe("Exceptions from `mode`: the mode by network name."),
});
