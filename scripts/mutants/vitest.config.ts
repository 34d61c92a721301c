/** The tests that mutants have to get past: those of what decides whether something is done, in one project. */
import { defineConfig } from "vitest/config";
import settings from "../../vitest.config.js";

export default defineConfig({
  resolve: settings.resolve!,
  test: {
    include: [
      "src/operate/{executor,session-rules}.test.ts",
      "src/operate/operation/explore.test.ts",
      "src/operate/consent/{judge,challenge}.test.ts",
      "src/operate/safety/*.test.ts",
    ],
    testTimeout: 120_000,
  },
});
