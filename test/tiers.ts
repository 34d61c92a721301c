/**
 * The tier of every test file, by globs: `unit` is functions and modules, `process` starts processes and servers, `slow`
 * takes long and rarely tells more. A file that no list names is `unit`.
 */

/** Everything that looks for tests. */
export const ALL = ["{src,protocol,audio,kiosk,editor,test}/**/*.{test,fuzz}.ts"];

/** Attacks, kills, fuzzing, doubling, browsers, whole demonstrations, conformance on much data. */
export const SLOW = [
  "**/*.fuzz.ts",
  "**/{doubling,linear}.test.ts",
  "src/ingest/{read-pool,sync/{changes,crash,permissions}}.test.ts",
  "src/retrieval/embedded/embedded-writer.test.ts",
  "test/{attack,fuzz,elasticsearch}/**/*.test.ts",
  // Watches every module while it is loaded for the first time.
  "test/regexes.test.ts",
  "src/speech/local.test.ts",
  // Thousands of generated flows and guides.
  "src/guide/{exchange/round-trip,validation/validate}.test.ts",
  "test/{evaluate,example-site,ingest-crash,ingest-kills,ledger-kills,sync-kills,bad-files}.test.ts",
  "test/e2e/{ansible,editor*,kiosk*}.test.ts",
  "test/e2e/{bad-input,check-{aloud,faults,model,steps},model-faults,speech-faults}.test.ts",
  "test/e2e/{first-contact,offline,elasticsearch,relay-sim,operate-kill,operate-scenarios,languages,process}.test.ts",
  "test/e2e/guide-{by-voice,interview,scenario}.test.ts",
  "test/e2e/{guard,keys-of-servers,overload-steps,overview,shift-metrics,traces,verifier}.test.ts",
  // Walks through fifty thousand states, and through thirty thousand replies.
  "src/operate/{operation/explore,consent/compositions}.test.ts",
  // Trains a classifier, and compares engines.
  "src/cli/{backup,main,sites,routes,guide,benchmark-retrieval}.test.ts",
  "src/sites/{mcp/mcp-site,shell/second-opinions}.test.ts",
  "test/e2e/doors/{matrix,faults,kiosk,limits,ollama,openai,site,tls,tls-commands}.test.ts",
];

/** Of the slow tier, the longest first: each takes a minute or so on two busy cores. */
export const LONGEST = [
  "test/e2e/first-contact.test.ts",
  "test/e2e/operate-scenarios.test.ts",
  "test/e2e/ansible.test.ts",
  "test/e2e/shift-metrics.test.ts",
  "test/e2e/kiosk.test.ts",
  "test/attack/loop.test.ts",
  "test/attack/text-answers.test.ts",
  "test/e2e/process.test.ts",
  "test/e2e/kiosk-axe.test.ts",
  "src/cli/guide.test.ts",
  "test/e2e/check-aloud.test.ts",
  "test/evaluate.test.ts",
  "test/e2e/offline.test.ts",
  "test/e2e/operate-kill.test.ts",
  "test/ingest-kills.test.ts",
  "test/e2e/doors/matrix.test.ts",
];

/** Processes, sockets and the whole service: what every change must pass. */
export const PROCESS = [
  "test/**/*.test.ts",
  "src/{cli,http,store}/**/*.test.ts",
  "src/ingest/{ingest,follow,sync/*}.test.ts",
  "src/retrieval/embedded/{embedded-engine,engine-pool}.test.ts",
  "src/speech/{local,local-recogniser}.test.ts",
  "src/lib/{call-process,warm-connections}.test.ts",
  "src/sites/host/host-site.test.ts",
  "src/sites/mcp/*.test.ts",
];
