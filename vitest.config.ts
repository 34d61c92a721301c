// Test runner settings: one process pool for everything, workspace packages read from their sources.
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
    include: ["{src,protocol,audio,test}/**/*.{test,fuzz}.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    pool: "forks",
    testTimeout: 20_000,
  },
});
