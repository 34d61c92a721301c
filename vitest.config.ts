// Test runner settings: one project for each tier of test/tiers.ts, workspace packages read from their sources.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.js";
import { patience } from "./test/support/patience.js";
import { ALL, PROCESS, SLOW } from "./test/tiers.js";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const NEVER = [
  "**/node_modules/**",
  "**/dist/**",
  // Needs a real server: `npm run test:elasticsearch:local` starts one.
  ...(process.env.ELASTICSEARCH_URL ? [] : ["test/elasticsearch/node.test.ts"]),
];

export default defineConfig({
  resolve: {
    alias: {
      "@readback/protocol": source("./protocol/src/index.ts"),
      "@readback/audio": source("./audio/src/index.ts"),
    },
  },
  test: {
    pool: "forks",
    sequence: { sequencer: LongestFirst },
    // Tests wait for sockets, disks and processes for about a third of their time.
    maxWorkers: availableParallelism() + 1,
    // No test takes as long by itself: whole processes start slowly on a machine that has other work.
    testTimeout: patience(60_000),
    hookTimeout: patience(60_000),
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ALL, exclude: [...NEVER, ...SLOW, ...PROCESS], isolate: false },
      },
      {
        extends: true,
        test: { name: "process", include: PROCESS, exclude: [...NEVER, ...SLOW], isolate: false },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: SLOW,
          exclude: NEVER,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
