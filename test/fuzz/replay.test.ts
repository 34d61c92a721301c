/** What the fuzzer keeps goes through every target again: `npm run fuzz -- --minutes 10` looks for more. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readCorpus } from "./corpus.js";
import { TARGET_NAMES, targetNamed } from "./targets.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

test.each(TARGET_NAMES)("the corpus of %s", async (name) => {
  const target = await targetNamed(name);
  const inputs = [...target.seeds, ...readCorpus(ROOT, name)];
  expect(inputs.length).toBeGreaterThan(target.seeds.length);
  for (const input of inputs) await target.check(input);
});
