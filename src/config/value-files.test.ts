import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Secret } from "../lib/secret.js";
import { ConfigError, loadConfig } from "./load.js";
import { isSecret, isUnknownVariable, listsSecrets, SETTINGS } from "./settings.js";

let directory = "";
let files = 0;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "readback-values-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

function errorOf(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("the configuration was taken");
}

describe("a value in a file", () => {
  const path = () => join(directory, `value-${files++}`);
  const written = (text: string) => {
    const file = path();
    writeFileSync(file, text);
    return file;
  };

  it.each([
    ["a key", "READBACK_LLM_API_KEY", "sk-of-a-file\n", { llm: { apiKey: new Secret("sk-of-a-file") } }],
    [
      "a variable that other programs know",
      "OPENAI_API_KEY",
      "sk-shared",
      { llm: { apiKey: new Secret("sk-shared") } },
    ],
    [
      "a list",
      "READBACK_HTTP_API_KEYS",
      '[{"key": "a-key-0123456789"}]\r\n',
      { http: { apiKeys: [{ key: "a-key-0123456789" }] } },
    ],
  ])("is that of the variable: %s", (_what, variable, text, expected) => {
    const file = written(text);
    const loaded = loadConfig({ [`${variable}_FILE`]: file });
    expect(loaded.config).toMatchObject(expected);
    expect(loaded.paths).toEqual([file]);
  });

  it("can be given for every secret", () => {
    for (const { path: names, schema, variable } of SETTINGS)
      if (isSecret(names.at(-1)!) || listsSecrets(schema))
        expect(isUnknownVariable(`${variable}_FILE`, "x"), variable).toBe(false);
  });

  it("is read again with the settings", () => {
    const file = written("first-key");
    const loaded = loadConfig({ READBACK_LLM_API_KEY_FILE: file }, { "relay.port": 0 });
    writeFileSync(file, "second-key");
    expect(loaded.reload().config).toMatchObject({
      llm: { apiKey: new Secret("second-key") },
      relay: { port: 0 },
    });
    rmSync(file);
    expect(() => loaded.reload()).toThrow(/READBACK_LLM_API_KEY_FILE names .*cannot be read/);
  });

  it.each([
    [
      "both",
      () => ({ READBACK_LLM_API_KEY: "k", READBACK_LLM_API_KEY_FILE: written("k") }),
      /both set; keep one/,
    ],
    ["no file", () => ({ READBACK_LLM_API_KEY_FILE: path() }), /names .*cannot be read: ENOENT/],
    ["an empty file", () => ({ READBACK_LLM_API_KEY_FILE: written("\n") }), /which is empty/],
    ["a bad value", () => ({ READBACK_HTTP_API_KEYS_FILE: written('[{"key": "short"}]') }), /http\.api_keys/],
  ])("stops the start with a clear error: %s", (_what, environment, told) => {
    const message = errorOf(environment() as Record<string, string>);
    expect(message).toMatch(told);
    expect(message).not.toContain("short");
  });
});
