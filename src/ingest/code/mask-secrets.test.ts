import { describe, expect, it } from "vitest";
import { isSecretKey, maskSecrets } from "./mask-secrets.js";

const config = (text: string) => maskSecrets(text, true).text;
const code = (text: string) => maskSecrets(text, false).text;

describe("secrets in configuration", () => {
  it.each([
    ["password: hunter2", "password: [redacted]"],
    ["  dbPassword = hunter 2", "  dbPassword = [redacted]"],
    ["db.password=hunter2", "db.password=[redacted]"],
    ["API-KEY: 'abc' # key", "API-KEY: '[redacted]' # key"],
    ['"token": "abc", "a": 1', '"token": "[redacted]", "a": 1'],
    ['"auth": {"client_secret": "a\\"b"}', '"auth": {"client_secret": "[redacted]"}'],
    ["AWS_SECRET_ACCESS_KEY=abc", "AWS_SECRET_ACCESS_KEY=[redacted]"],
    ["export GITHUB_TOKEN=abc", "export GITHUB_TOKEN=[redacted]"],
    ["ENV DB_PASSWORD hunter2", "ENV DB_PASSWORD [redacted]"],
    ["cmd --password hunter2 --x", "cmd --password [redacted]"],
    ["<password>hunter2</password>", "<password>[redacted]</password>"],
    ['<db password="hunter2" user="a"/>', '<db password="[redacted]" user="a"/>'],
    ["pin: 1234", "pin: [redacted]"],
    ["url: postgres://ann:hunter2@host/db", "url: postgres://[redacted]@host/db"],
    ["id: AKIAABCDEFGHIJKLMNOP", "id: [redacted]"],
    ["x: eyJhbGciOiJI.eyJzdWIiOiIx.c2ln", "x: [redacted]"],
    ["a_secret_key = 'x'\nb = 1", "a_secret_key = '[redacted]'\nb = 1"],
  ])("%j", (text, expected) => expect(config(text)).toBe(expected));

  it.each([
    `password: \${DB_PASSWORD}`,
    "password: {{ vault.db }}",
    "password:",
    "token: null",
    "max_tokens: 5",
    "chunk_tokens_target: 150",
    "password_min_length: 8",
    "secret_name: db",
    "api_key_file: /run/key",
    "tokenizer: bpe",
    "passenger: ann",
    "compass: north",
    "keyboard: us",
    "https://example.com/a",
  ])("leaves %j", (text) => expect(config(text)).toBe(text));

  it("goes through everything below a secret's key", () => {
    expect(config(`secrets:\n  - abc\n  db: def\n  e: \${F}\nport: 1`)).toBe(
      `secrets:\n  - [redacted]\n  db: [redacted]\n  e: \${F}\nport: 1`,
    );
    expect(config("private_key: |\n  abc\n  def\n\nport: 1")).toBe(
      "private_key: |\n  [redacted]\n  [redacted]\n\nport: 1",
    );
    expect(config("kind: Secret\ndata:\n  a: YWJj\nmetadata:\n  name: x")).toBe(
      "kind: Secret\ndata:\n  a: [redacted]\nmetadata:\n  name: x",
    );
  });

  it("goes through keys in PEM form", () => {
    const masked = config("-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----\nx: 1");
    expect(masked).toBe(
      "-----BEGIN RSA PRIVATE KEY-----\n[redacted]\n[redacted]\n-----END RSA PRIVATE KEY-----\nx: 1",
    );
    expect(config("-----BEGIN PRIVATE KEY-----\nMIIE")).not.toContain("MIIE");
  });
});

describe("secrets in code", () => {
  it.each([
    ['const password = "hunter2";', 'const password = "[redacted]";'],
    ["api_key: 'abc',", "api_key: '[redacted]',"],
    ["String dbPassword = f(x);", "String dbPassword = f(x);"],
    ["if (token === other) {", "if (token === other) {"],
    ["token = getToken()", "token = getToken()"],
    ["f({ token: `x $t` })", "f({ token: `[redacted]` })"],
  ])("%j", (text, expected) => expect(code(text)).toBe(expected));
});

it("counts what it masked, and keeps the lines", () => {
  const text = "a: 1\npassword: x\n\nb:\n  token: 'y'\n";
  const { text: masked, maskedCount } = maskSecrets(text, true);
  expect(maskedCount).toBe(2);
  expect(masked.split("\n")).toHaveLength(text.split("\n").length);
  expect(maskSecrets(masked, true)).toEqual({ text: masked, maskedCount: 0 });
});

it("knows a secret's name", () => {
  expect(
    ["password", "userPasswd", "X_API_KEY", "apikey", "accessKeyId", "token2", "db.pwd"].filter(isSecretKey),
  ).toHaveLength(7);
  expect(["key", "keys", "tokens_max", "monkey", "public_key", "secretary"].filter(isSecretKey)).toEqual([]);
});
