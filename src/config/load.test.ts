import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Secret } from "../lib/secret.js";
import { redactor } from "../lib/secrets.js";
import { ConfigError, loadConfig, printableConfig, secretsOf } from "./load.js";
import { settingsReference } from "./reference.js";
import { isUnknownVariable, SETTINGS } from "./settings.js";

let directory = "";
let files = 0;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "readback-config-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** An environment whose file holds `text`. */
function fileOf(text: string | object): { READBACK_CONFIG: string } {
  const path = join(directory, `config-${files++}.json`);
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
  return { READBACK_CONFIG: path };
}

function errorOf(environment: Record<string, string>, overrides: Record<string, unknown> = {}): string {
  try {
    loadConfig(environment, overrides);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("the configuration was taken");
}

describe("keys of the reference system", () => {
  const keys = {
    document_sync_enabled: true,
    document_sync_max_batch_size: 4,
    s3_document_bucket: "docs",
    elastic_s3_connector_id: "c-1",
    elastic_max_results: 7,
  };

  it("are settings under another name, beside others of their sections", () => {
    const { config, file } = loadConfig(fileOf({ ...keys, sync: { poll_ms: 1_000 } }));
    expect(config.sync).toMatchObject({
      enabled: true,
      batchSize: 4,
      s3Bucket: "docs",
      connectorId: "c-1",
      pollMs: 1_000,
    });
    expect(config.retrieval.resultsMax).toBe(7);
    expect(printableConfig(file)).not.toContain("elastic_max_results");
  });

  it("give way to the environment", () => {
    const environment = { ...fileOf(keys), READBACK_RETRIEVAL_RESULTS_MAX: "3" };
    expect(loadConfig(environment).config.retrieval.resultsMax).toBe(3);
  });

  it("are named when they are wrong, or there twice", () => {
    expect(errorOf(fileOf({ elastic_max_results: "many" }))).toMatch(
      /retrieval\.results_max is "many" \(from elastic_max_results in .*\.json\)/,
    );
    expect(errorOf(fileOf({ ...keys, retrieval: { results_max: 5 } }))).toMatch(
      /sets both elastic_max_results and retrieval\.results_max/,
    );
    expect(errorOf(fileOf({ elastic_max_result: 5 }))).toMatch(/elastic_max_result is no setting/);
    expect(errorOf(fileOf({ elastic_max_results: 5, retrieval: 4 }))).toMatch(/retrieval is 4/);
  });

  it("are in the reference", () => {
    expect(settingsReference()).toContain("`elastic_max_results` is `retrieval.results_max`");
  });
});

describe("defaults", () => {
  it("are the figures of the product", () => {
    const { config } = loadConfig({});
    expect(config).toMatchObject({
      environment: "production",
      relay: { port: 8086, idleTimeoutMs: 120_000 },
      http: { port: 8087 },
      metrics: { port: 9092 },
      chat: { inactivityMsMax: 600_000, chatsMax: 100_000 },
      llm: {
        provider: "auto",
        model: "gpt-4.1-mini",
        firstByteTimeoutMs: 15_000,
        idleTimeoutMs: 3_000,
        toolName: "retrieve_relevant_documents",
        searchLanguage: "English",
      },
      speech: {
        provider: "auto",
        model: "tts-1",
        voice: "shimmer",
        format: "opus",
        firstByteTimeoutMs: 15_000,
        idleTimeoutMs: 3_000,
        bodyBytesMax: 1_048_576,
      },
      retrieval: { resultsMax: 5, searchTimeoutMs: 5_000 },
      ingest: { defaultVisibility: "network" },
      log: { debugNetworks: [] },
    });
    expect(config.llm.apiKey).toBeUndefined();
    expect(config.llm.baseUrl).toBeUndefined();
  });

  it("listen to this machine only", () => {
    const { relay, http, metrics } = loadConfig({}).config;
    expect([relay.host, http.host, metrics.host]).toEqual(["127.0.0.1", "127.0.0.1", "127.0.0.1"]);
  });
});

describe("precedence", () => {
  it("is the environment, then the file, then the default", () => {
    const file = fileOf({ relay: { port: 1, host: "127.0.0.9" }, data_dir: "here" });
    const { config } = loadConfig({ ...file, READBACK_RELAY_PORT: "2" });
    expect(config.relay).toMatchObject({ port: 2, host: "127.0.0.9", connectionsMax: 4_096 });
    expect(config.dataDir).toBe("here");
  });

  it("puts what the caller says over everything", () => {
    const { config } = loadConfig({ READBACK_RELAY_PORT: "2" }, { "relay.port": 3, data_dir: "there" });
    expect(config.relay.port).toBe(3);
    expect(config.dataDir).toBe("there");
  });

  it("takes an empty variable as none", () => {
    const file = fileOf({ relay: { port: 1 } });
    expect(loadConfig({ ...file, READBACK_RELAY_PORT: "" }).config.relay.port).toBe(1);
    expect(loadConfig({ READBACK_CONFIG: "" }).config.relay.port).toBe(8086);
  });

  it.each([
    [{ OPENAI_API_KEY: "k-1", OPENAI_BASE_URL: "http://a/v1" }, new Secret("k-1"), "http://a/v1"],
    [{ OPENAI_API_KEY: "k-1", READBACK_LLM_API_KEY: "k-2" }, new Secret("k-2"), undefined],
    [{ OPENAI_BASE_URL: "http://a/v1", READBACK_LLM_BASE_URL: "http://b/v1" }, undefined, "http://b/v1"],
  ])("knows the variables that other programs know too: %j", (environment, apiKey, baseUrl) => {
    expect(loadConfig(environment).config.llm).toMatchObject(
      Object.fromEntries(Object.entries({ apiKey, baseUrl }).filter(([, value]) => value !== undefined)),
    );
  });
});

describe("variables", () => {
  it("exist for every setting, each once", () => {
    const names = SETTINGS.map(({ variable }) => variable);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        "READBACK_DATA_DIR",
        "READBACK_RELAY_HOST",
        "READBACK_RELAY_PORT",
        "READBACK_HTTP_PORT",
        "READBACK_METRICS_PORT",
      ]),
    );
  });

  it.each([
    ["READBACK_RELAY_PORT", " 9000 ", "relay", "port", 9000],
    ["READBACK_LLM_MODEL", "4711", "llm", "model", "4711"],
    ["READBACK_LLM_TEMPERATURE", "0.5", "llm", "temperature", 0.5],
    ["READBACK_LLM_TEMPERATURE", "null", "llm", "temperature", null],
    ["READBACK_LOG_DEBUG_NETWORKS", "plant", "log", "debugNetworks", ["plant"]],
    ["READBACK_LOG_DEBUG_NETWORKS", "plant, shop,,17", "log", "debugNetworks", ["plant", "shop", "17"]],
    ["READBACK_LOG_DEBUG_NETWORKS", '["a,b", "c"]', "log", "debugNetworks", ["a,b", "c"]],
    ["READBACK_LOG_LEVEL", "debug", "log", "level", "debug"],
    [
      "READBACK_LLM_SEARCH_LANGUAGE_BY_NETWORK",
      '{"werk_sued": "German"}',
      "llm",
      "searchLanguageByNetwork",
      { werk_sued: "German" },
    ],
  ])("%s=%s", (variable, text, section, name, expected) => {
    const config = loadConfig({ [variable]: text }).config as unknown as Record<
      string,
      Record<string, unknown>
    >;
    expect(config[section]![name]).toEqual(expected);
  });

  it("keep the spelling of names that are not ours", () => {
    const file = fileOf({ llm: { search_language_by_network: { werk_sued: "German" } } });
    expect(loadConfig(file).config.llm.searchLanguageByNetwork).toEqual({ werk_sued: "German" });
  });
});

describe("a bad setting", () => {
  it.each([
    ["READBACK_RELAY_PORT", "abc", "relay.port", '"abc"'],
    ["READBACK_RELAY_PORT", "70000", "relay.port", "70000"],
    ["READBACK_RELAY_PORT", "80.5", "relay.port", "80.5"],
    ["READBACK_ENVIRONMENT", "prod", "environment", '"prod"'],
    ["READBACK_LLM_BASE_URL", "localhost:8080", "llm.base_url", '"localhost:8080"'],
    ["READBACK_LLM_TEMPERATURE", "warm", "llm.temperature", '"warm"'],
    ["OPENAI_BASE_URL", "ftp://host", "llm.base_url", '"ftp://host"'],
    ["READBACK_SHUTDOWN_GRACE_MS", "99999999999", "shutdown_grace_ms", "99999999999"],
  ])("stops the start with name, value, origin and remedy: %s=%s", (variable, text, name, value) => {
    const message = errorOf({ [variable]: text });
    expect(message).toMatch(/correct these settings/i);
    expect(message).toContain(`${name} is ${value} (from ${variable})`);
    const { description } = SETTINGS.find(({ path }) => path.join(".") === name)!.schema;
    expect(message).toContain(description);
  });

  it.each(["llm", "speech", "embedding", "rerank"])(
    "may be the address of a model server with a user or a password, which no request can have: %s",
    (section) => {
      for (const credentials of ["user:pass", "user", ":pass"]) {
        const message = errorOf(fileOf({ [section]: { base_url: `https://${credentials}@host/v1` } }));
        expect(message).toContain(`${section}.base_url is "https://[redacted]@host/v1"`);
        expect(message).toContain("take them out, and set api_key instead");
      }
      const base_url = "https://host:8443/v1/@team?a=b@c";
      expect(loadConfig(fileOf({ [section]: { base_url } })).file).toMatchObject({ [section]: { base_url } });
    },
  );

  it("names the file that it stands in", () => {
    const file = fileOf({ relay: { port: -1 }, speech: { voice: "" } });
    const message = errorOf(file);
    expect(message).toContain(`relay.port is -1 (from ${file.READBACK_CONFIG})`);
    expect(message).toContain(`speech.voice is "" (from ${file.READBACK_CONFIG})`);
  });

  it("is told with its place in a list, and where the list came from", () => {
    const message = errorOf({ READBACK_LOG_DEBUG_NETWORKS: "[1]" });
    expect(message).toContain("log.debug_networks");
    expect(message).toContain("READBACK_LOG_DEBUG_NETWORKS");
  });

  it("may come from the caller", () => {
    expect(errorOf({}, { "relay.port": -1 })).toMatch(/relay\.port is -1 \(from the caller\)/);
  });

  it.each(["relay", "llm"])("may be a whole section: %s", (section) => {
    const message = errorOf({
      ...fileOf({ [section]: "no" }),
      READBACK_RELAY_PORT: "1",
      OPENAI_API_KEY: "k",
    });
    expect(message).toContain(`${section} is "no"`);
  });
});

describe("a setting that does not exist", () => {
  it("is named, with those that do", () => {
    const file = fileOf({ relay: { portt: 5 } });
    const message = errorOf(file);
    expect(message).toContain("relay.portt");
    expect(message).toContain(file.READBACK_CONFIG);
    expect(message).toMatch(/host, port, allow, tls, connections_max/);
  });

  it("is named at the top too", () => {
    const message = errorOf(fileOf({ realy: {}, "data-dir": "x" }));
    expect(message).toContain("realy");
    expect(message).toContain("data-dir");
    expect(message).toMatch(/environment, data_dir/);
  });
});

describe("a variable that sets nothing", () => {
  it.each([
    ["READBACK_RELAY_PROT", "READBACK_RELAY_PORT"],
    ["READBACK_LLM_APIKEY", "READBACK_LLM_API_KEY"],
    ["READBACK_DATADIR", "READBACK_DATA_DIR"],
    ["READBACK_CONFG", "READBACK_CONFIG"],
    ["READBACK_HTTP_API_KEY", "READBACK_HTTP_API_KEYS"],
  ])("stops the start with the one that was meant: %s", (misspelt, meant) => {
    const message = errorOf({ [misspelt]: "the-secret" });
    expect(message).toContain(`${misspelt} is no setting (from the environment). Did you mean ${meant}?`);
    expect(message).not.toContain("the-secret");
  });

  it("is told with all that is wrong besides, and with where to look where no name is near", () => {
    const message = errorOf({ READBACK_ELEPHANT_COLOUR: "1", READBACK_RELAY_PORT: "eighty" });
    expect(message).toContain("READBACK_ELEPHANT_COLOUR is no setting (from the environment). See: readback");
    expect(message).toContain("relay.port");
  });

  it.each([
    ["an empty one", "READBACK_RELAY_PROT", ""],
    ["one of the tests", "READBACK_TEST_WAIT_FACTOR", "2"],
    ["one of the compose file", "READBACK_RELAY_ADDRESS", "10.0.0.1"],
    ["what Kubernetes tells of a service", "READBACK_SERVICE_HOST", "10.0.0.1"],
    ["its port by name", "READBACK_SERVICE_PORT_RELAYS", "8086"],
    ["its address", "READBACK_PORT", "tcp://10.0.0.1:8086"],
    ["the parts of it", "READBACK_PORT_8086_TCP_ADDR", "10.0.0.1"],
    ["somebody else's", "READBACKS", "1"],
  ])("is no matter where it is %s", (_what, name, text) => {
    expect(() => loadConfig({ [name]: text })).not.toThrow();
  });

  it("is one where its value is no address", () => {
    expect(errorOf({ READBACK_PORT: "8086" })).toContain("READBACK_PORT is no setting");
  });

  it("is none of those that the project itself names", () => {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const places = ["deploy", "scripts", "Dockerfile", "README.md", "docs", "bin", "package.json"];
    const text = execFileSync("git", ["grep", "-ohE", "READBACK_[A-Z0-9_]*[A-Z0-9]", "--", ...places], {
      cwd: root,
      encoding: "utf8",
    });
    const names = [...new Set(text.trim().split("\n"))];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => isUnknownVariable(name, "1"))).toEqual([]);
  });
});

describe("the file", () => {
  it.each([
    ["not JSON", "{", /is not JSON/],
    ["a list", "[]", /no object/],
    ["null", "null", /no object/],
  ])("is refused when it holds %s", (_what, text, expected) => {
    expect(errorOf(fileOf(text))).toMatch(expected);
  });

  it("is missed when it is named and not there", () => {
    const message = errorOf({ READBACK_CONFIG: join(directory, "none.json") });
    expect(message).toContain("READBACK_CONFIG names");
    expect(message).toContain("none.json");
  });

  it("is left as it was read", () => {
    const file = fileOf({ relay: { port: 1 } });
    loadConfig({ ...file, READBACK_RELAY_PORT: "2" });
    expect(loadConfig(file).config.relay.port).toBe(1);
  });
});

describe("secrets", () => {
  const environment = {
    OPENAI_API_KEY: "sk-llm-secret",
    READBACK_SPEECH_API_KEY: "another-secret",
    READBACK_ELASTICSEARCH_URL: "https://user:pass%21word@search.example",
  };

  it("are masked where the settings are printed", () => {
    const printed = printableConfig(loadConfig(environment).file);
    expect(printed).not.toMatch(/sk-llm-secret|another-secret|pass%21word/);
    expect(JSON.parse(printed)).toMatchObject({
      llm: { api_key: "[redacted]", model: "gpt-4.1-mini" },
      speech: { api_key: "[redacted]" },
      elasticsearch: { url: "https://[redacted]@search.example" },
    });
  });

  it("are known to whoever keeps them out of the log", () => {
    const redact = redactor(secretsOf(loadConfig(environment).file));
    expect(redact("sk-llm-secret another-secret pass%21word pass!word")).toBe(
      "[redacted] [redacted] [redacted] [redacted]",
    );
  });

  it.each([
    ["of a wrong type", { llm: { api_key: 12345678 } }, "12345678"],
    ["beside an unknown key", { llm: { api_key: "the-secret", modle: "x" } }, "the-secret"],
    ["under a misspelt name", { llm: { apikey: "the-secret" } }, "the-secret"],
    ["in an address", { llm: { base_url: "ftp://user:the-secret@host" } }, "the-secret"],
    ["in an address of the right kind", { llm: { base_url: "https://user:the-secret@host" } }, "the-secret"],
    ["where an address belongs", { llm: { base_url: "sk-abcdefghijkl" } }, "sk-abcdefghijkl"],
    ["in a section of a wrong type", { llm: [{ api_key: "the-secret" }] }, "the-secret"],
  ])("are not told in errors: %s", (_what, file, secret) => {
    const message = errorOf(fileOf(file));
    expect(message).toContain("llm");
    expect(message).not.toContain(secret);
  });

  it("are not told in errors of the environment either", () => {
    expect(errorOf({ READBACK_LLM_BASE_URL: "ftp://user:the-secret@host" })).not.toContain("the-secret");
  });
});

describe("the reference of settings", () => {
  it("explains every setting, with its variable and its default", () => {
    const reference = settingsReference();
    for (const { path, variable, schema } of SETTINGS) {
      expect(schema.description, path.join(".")).toMatch(/\S/);
      expect(reference).toContain(`| \`${path.join(".")}\` | \`${variable}\` |`);
    }
    expect(reference).toContain("| `relay.port` | `READBACK_RELAY_PORT` | `8086` |");
    expect(reference.split("\n")).toHaveLength(SETTINGS.length + 4);
  });
});

describe("a list of sections", () => {
  const fallbacks = [
    {
      model: "small",
      base_url: "http://plant.example/v1",
      api_key: "the-key",
      price: { input_per_million: 0.1, output_per_million: 0.4 },
    },
  ];

  it("comes from the file or, as JSON, from the environment, and is read as every section is", () => {
    const environment = { READBACK_LLM_FALLBACKS: JSON.stringify(fallbacks) };
    for (const given of [fileOf({ llm: { fallbacks } }), environment]) {
      expect(loadConfig(given).config.llm.fallbacks).toEqual([
        {
          model: "small",
          baseUrl: "http://plant.example/v1",
          apiKey: new Secret("the-key"),
          dialect: "auto",
          price: { inputPerMillion: 0.1, outputPerMillion: 0.4 },
        },
      ]);
    }
  });

  it("keeps its secrets", () => {
    const { file } = loadConfig(fileOf({ llm: { fallbacks } }));
    expect(printableConfig(file)).not.toContain("the-key");
    expect(secretsOf(file)).toContain("the-key");
  });

  it.each<[string, unknown, RegExp]>([
    [
      "a name that is none",
      [{ model: "m", modle: "n" }],
      /llm\.fallbacks\.0\.modle is no setting.*Models that answer when/s,
    ],
    ["no model", [{ api_key: "the-key" }], /llm\.fallbacks\.0\.model is not set/],
    ["half a price", [{ model: "m", price: { input_per_million: 1 } }], /output_per_million is not set/],
    [
      "an address with a password",
      [{ model: "m", base_url: "https://u:the-key@host" }],
      /set api_key instead/,
    ],
    ["no list", { model: "m", api_key: "the-key" }, /llm\.fallbacks is /],
  ])("is refused for %s", (_what, value, message) => {
    for (const given of [
      fileOf({ llm: { fallbacks: value } }),
      { READBACK_LLM_FALLBACKS: JSON.stringify(value) },
    ]) {
      expect(errorOf(given)).toMatch(message);
      expect(errorOf(given)).not.toContain("the-key");
    }
  });

  it("is not shown where it is no JSON, for it may hold keys", () => {
    const message = errorOf({ READBACK_LLM_FALLBACKS: "[{model: small, api_key: the-key}]" });
    expect(message).toContain("llm.fallbacks is [redacted] (from READBACK_LLM_FALLBACKS)");
  });
});
