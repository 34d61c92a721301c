// Mutants of the code that decides whether something is done, or a step of a guide is passed: docs/decisions/0072.
// `npm run mutants`, or of one folder `npm run mutants -- --mutate "src/operate/safety/*.ts,!**/*.test*.ts"`.
export default {
  testRunner: "vitest",
  vitest: { configFile: "scripts/mutants/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  mutate: [
    "src/operate/{operation,consent}/*.ts",
    "src/operate/safety/{acting,site-reader,site-tools,site-writer}.ts",
    "src/guide/run/{places,stepper,stepping}.ts",
    "!**/*.test*.ts",
  ],
  concurrency: 2,
  // What no unit test reads.
  ignorePatterns: ["**/dist", "models"],
  tempDirName: ".stryker-tmp",
  cleanTempDir: "always",
  // Longer than a test may take (vitest.config.ts): a mutant that is given up counts as found, and only an endless loop is.
  timeoutMS: 120_000,
  reporters: ["json", "clear-text", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};
