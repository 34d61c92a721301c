// Test runner settings: one process pool for everything, workspace packages read from their sources.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "@readback/protocol": source("./protocol/src/index.ts"),
      "@readback/audio": source("./audio/src/index.ts"),
    },
  },
  test: {
    include: ["{src,protocol,audio,kiosk,test}/**/*.{test,fuzz}.ts"],
    exclude: [
      "**/node_modules/**",
      "**/dist/**",
      // Needs a real server: `npm run test:elasticsearch:local` starts one.
      ...(process.env.ELASTICSEARCH_URL ? [] : ["test/elasticsearch/node.test.ts"]),
    ],
    pool: "forks",
    // The runner leaves one core alone by itself, which of two is half the machine.
    maxWorkers: availableParallelism(),
    // No test takes as long by itself: whole processes start slowly on a machine that has other work.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
