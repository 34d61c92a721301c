/** Settings of the languages that fixed phrases are said in, as the configuration file writes them. */
import { z } from "zod";

export const localeOptions = z.strictObject({
  dir: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Directory with texts of your own, one `<language>.json` each as in `locales`: of a language that comes with " +
        "the service only the texts that differ, of any other all of them.",
    ),
  default_language: z
    .string()
    .min(1)
    .default("en")
    .describe("BCP 47 tag of the language of fixed phrases where neither request nor question tells one."),
  language_by_network: z
    .record(z.string(), z.string().min(1))
    .default({})
    .describe(
      "Language that a network is answered in, by network name, whatever the language of the question; " +
        "a request that names one gets that.",
    ),
  emergency_by_network: z
    .record(
      z.string(),
      z.union([z.string().trim().min(1), z.record(z.string().min(1), z.string().trim().min(1))]),
    )
    .default({})
    .describe(
      "What is said to somebody who tells of an emergency where the documents do not say what to do, by network name: " +
        "one text, or texts by language tag. Default: to call the emergency number and to tell the people around. That " +
        "nobody was called is said after it in any case.",
    ),
});
