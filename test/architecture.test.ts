/** Holds the source to the import rules of ARCHITECTURE.md, and the rules to what they claim to find. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { acyclic, violations } from "./support/architecture-rules.js";
import { isTest, parseSource, readSources } from "./support/source-graph.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = ["src", "protocol/src", "audio/src", "kiosk/src", "editor/src"];

/** Held to one rule alone: no import goes in a circle. */
const FREE_FOLDERS = ["test", "bench", "examples"];

describe("the source", () => {
  const written = FOLDERS.flatMap((folder) => readSources(ROOT, folder));
  const sources = written.filter((source) => !isTest(source));

  it("is all there", () => {
    const paths = sources.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        "src/main.ts",
        "protocol/src/decoder.ts",
        "audio/src/toc.ts",
        "kiosk/src/main.ts",
      ]),
    );
    expect(sources.find(({ path }) => path === "src/tcp/connection.ts")?.imports.length).toBeGreaterThan(5);
  });

  it("keeps every rule", () => {
    expect(violations(sources)).toEqual([]);
  });

  it("has no cycle through its tests, their support, benches or examples", () => {
    const all = [...written, ...FREE_FOLDERS.flatMap((folder) => readSources(ROOT, folder))];
    expect(all.filter(isTest).length).toBeGreaterThan(400);
    expect(acyclic(all)).toEqual([]);
  });
});

/** Small sources that break a rule each, and what has to be found in them. */
const PLANTED: readonly [what: string, files: Record<string, string>, found: RegExp][] = [
  ["an import upward", { "src/turn/a.ts": `import { x } from "../tcp/b.js";` }, /a\.ts:1: .*not below/],
  ["a type from above", { "src/chat/a.ts": `import type { X } from "../http/b.js";` }, /not below/],
  ["an inline type from above", { "src/chat/a.ts": `let x: import("../tcp/b.js").X;` }, /not below/],
  ["a lazy import upward", { "src/lib/a.ts": `await import("../domain/b.js");` }, /not below/],
  ["a file by its address", { "src/lib/a.ts": `new URL("../llm/b.js", import.meta.url);` }, /not below/],
  ["a capability in another", { "src/answer/a.ts": `import { x } from "../operate/b.js";` }, /not below/],
  ["neighbours", { "src/llm/a.ts": `export { x } from "../speech/b.js";` }, /not below/],
  ["somebody in the commands", { "src/tcp/a.ts": `import { x } from "../cli/b.js";` }, /not below/],
  ["lib that knows the domain", { "src/lib/a.ts": `import { x } from "../domain/b.js";` }, /not below/],
  ["a folder without a place", { "src/utils/a.ts": "export const x = 1;" }, /no place/],
  [
    "protocol in a chat",
    { "src/chat/a.ts": `import "@readback/protocol";` },
    /@readback\/protocol.*elsewhere/,
  ],
  ["audio in a turn", { "src/turn/a.ts": `import { x } from "@readback/audio";` }, /@readback\/audio/],
  ["a vendor out of place", { "src/answer/a.ts": `import OpenAI from "openai";` }, /openai.*elsewhere/],
  ["a part of a vendor", { "src/turn/a.ts": `import x from "openai/streaming";` }, /imports openai/],
  [
    "a vendor loaded by hand",
    { "src/turn/a.ts": `const x = require(y ? "openai" : "z");` },
    /imports openai/,
  ],
  ["an unlisted vendor", { "src/lib/a.ts": `import x from "lodash";` }, /lodash/],
  ["a vendor's type", { "src/http/a.ts": `import type { Gauge } from "prom-client";` }, /prom-client/],
  [
    "settings below",
    { "src/tcp/a.ts": `import type { Config } from "../config/schema.js";` },
    /settings|below/,
  ],
  ["settings that know a part", { "src/config/a.ts": `import { x } from "../llm/openai.js";` }, /nobody's/],
  ["options that drag", { "src/llm/options.ts": `import { x } from "./openai.js";` }, /drag/],
  ["a subscriber", { "src/turn/a.ts": `import { x } from "../telemetry/metrics.js";` }, /emit an event/],
  ["a subscriber's value", { "src/http/a.ts": `import { x } from "../telemetry/logs.js";` }, /emit an event/],
  ["a site's tool", { "src/operate/agent.ts": `import { x } from "../sites/b.js";` }, /past operate/],
  ["a package with a socket", { "protocol/src/a.ts": `import { connect } from "node:net";` }, /stands alone/],
  ["a package in the service", { "audio/src/a.ts": `import { x } from "../../src/lib/clock.js";` }, /stands/],
  ["packages together", { "protocol/src/a.ts": `import { x } from "@readback/audio";` }, /stands alone/],
  ["a page with the service", { "kiosk/src/a.ts": `import { x } from "../../src/lib/x.js";` }, /no browser/],
  ["a page with another", { "editor/src/a.ts": `import { x } from "../../kiosk/src/x.js";` }, /no browser/],
  ["a page with a package", { "kiosk/src/a.ts": `import x from "simple-keyboard";` }, /no browser/],
  [
    "a cycle of types in a page",
    {
      "kiosk/src/a.ts": `import type { X } from "./b.js";`,
      "kiosk/src/b.ts": `import { y } from "./a.js";`,
    },
    /a cycle: kiosk\/src\/a\.ts → kiosk\/src\/b\.ts/,
  ],
  ["a package with a timer", { "protocol/src/a.ts": "setTimeout(() => {}, 1);" }, /setTimeout.*pure/],
  ["the environment", { "src/tcp/a.ts": "const x = process.env.X;" }, /process\.env/],
  ["the environment, taken apart", { "src/tcp/a.ts": "const { env } = process;" }, /process\.env/],
  ["the environment in brackets", { "src/tcp/a.ts": `process["env"];` }, /process\.env/],
  ["the environment, imported", { "src/tcp/a.ts": `import { env } from "node:process";` }, /process\.env/],
  ["the clock", { "src/turn/a.ts": "const x = Date.now();" }, /Date\.now/],
  ["today", { "src/turn/a.ts": "const x = new Date();" }, /new Date/],
  ["a timer", { "src/turn/a.ts": "setInterval(f, 5);" }, /setInterval/],
  ["a global timer", { "src/turn/a.ts": "globalThis.setTimeout(f, 5);" }, /setTimeout/],
  ["a borrowed timer", { "src/turn/a.ts": "const later = setTimeout;" }, /setTimeout/],
  ["timers as promises", { "src/turn/a.ts": `import { x } from "node:timers/promises";` }, /node:timers/],
  ["performance", { "src/turn/a.ts": "performance.now();" }, /performance\.now/],
  ["a timeout of the platform", { "src/turn/a.ts": "AbortSignal.timeout(5);" }, /AbortSignal/],
  ["chance", { "src/turn/a.ts": "Math.random();" }, /Math\.random/],
  ["chance from crypto", { "src/chat/a.ts": `import { randomBytes } from "node:crypto";` }, /crypto/],
  ["the clock behind the wrong door", { "src/lib/random.ts": "Date.now();" }, /Date\.now/],
  [
    "a cycle",
    {
      "src/turn/a.ts": `import { x } from "./b.js";`,
      "src/turn/b.ts": `import type { Y } from "./c.js";`,
      "src/turn/c.ts": `import { z } from "./a.js";`,
    },
    /a cycle: src\/turn\/a\.ts → src\/turn\/b\.ts → src\/turn\/c\.ts → src\/turn\/a\.ts/,
  ],
  [
    "a name with two meanings",
    { "src/turn/a.ts": "export interface X {}", "src/chat/b.ts": "export class X {}" },
    /X is also a type of src\/turn\/a\.ts/,
  ],
  ["a barrel", { "src/turn/all.ts": `export * from "./a.js";\nexport { b } from "./b.js";` }, /passes on/],
  ["a barrel by name", { "src/turn/index.ts": "export const x = 1;" }, /passes on/],
];

/** What looks like a violation and is none. */
const SOUND: Record<string, string> = {
  "src/main.ts": `import { x } from "./telemetry/metrics.js";\nimport { load } from "./config/load.js";`,
  "src/cli/a.ts": `import { x } from "../main.js";\nimport "@readback/protocol";\nimport "commander";`,
  "src/config/schema.ts": `import { x } from "../turn/options.js";\nimport { z } from "zod";`,
  "src/config/load.ts": "process.env;",
  "src/http/metrics.ts": `import type { Metrics } from "../telemetry/metrics.js";`,
  "src/turn/a.ts": `import { x } from "../telemetry/events.js";\nimport { y } from "../capability/capability.js";`,
  "src/turn/b.ts": "const at = new Date(0); clock.after(5, f); clock.now(); this.setTimeout(5);",
  "src/retrieval/a.ts": `import { createHash } from "node:crypto";`,
  "src/lib/clock.ts": "Date.now(); performance.now(); setTimeout(f, 1);",
  "src/lib/random.ts": `import { randomBytes } from "node:crypto";\nMath.random();`,
  "src/tcp/a.ts": "// Date.now() and process.env in words\nconst text = 'Math.random()';",
  "src/operate/safety/read.ts": `import { x } from "../sites/a.js";`,
  "kiosk/src/a.ts": `import { x } from "/kiosk/assets/audio/ogg-muxer.js";\nsetTimeout(() => {}, 5);`,
  "protocol/src/index.ts": `export * from "./a.js";`,
  "protocol/src/b.ts": "export type X = 1;",
  "src/llm/a.ts": "export interface X {}",
  "src/llm/b.ts": "interface X {}",
};

function violationsIn(files: Record<string, string>): string[] {
  return violations(Object.entries(files).map(([path, text]) => parseSource(path, text)));
}

describe("the rules", () => {
  it.each(PLANTED)("find %s", (_what, files, found) => {
    expect(violationsIn(files).join("\n")).toMatch(found);
  });

  it("find nothing where nothing is", () => {
    expect(violationsIn(SOUND)).toEqual([]);
  });
});
