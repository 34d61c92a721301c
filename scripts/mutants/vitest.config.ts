/** The tests that mutants have to get past: those of what decides whether something is done or passed, in one project. */
import { defineConfig } from "vitest/config";
import settings from "../../vitest.config.js";

export default defineConfig({
  resolve: settings.resolve!,
  test: {
    include: [
      "src/operate/{executor,withheld}.test.ts",
      "src/operate/operation/explore.test.ts",
      "src/operate/consent/{judge,challenge}.test.ts",
      "src/operate/safety/*.test.ts",
      "src/guide/run/{explore,places,stepper,stepping}.test.ts",
    ],
    // Each mutant has a thread of its own as it is; in that, modules are loaded once and not for each file.
    isolate: false,
    env: { READBACK_TEST_STEPS_LESS: "2", READBACK_TEST_LANGUAGES: "en,pl" },
    testTimeout: 60_000,
  },
});
