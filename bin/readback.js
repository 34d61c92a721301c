#!/usr/bin/env node
// The `readback` command: hands over to the compiled command line.
import("../dist/src/cli/main.js").catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.error(`readback is not built yet (${error.message}). Run: npm run build`);
  process.exitCode = 1;
});
