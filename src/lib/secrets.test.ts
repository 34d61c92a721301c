import { describe, expect, it } from "vitest";
import { credentialsOf, redactor, redactShapes } from "./secrets.js";

describe("known secrets", () => {
  const redact = redactor(["s3cret", "s3cret-and-longer", 'quo"te\\d', "", "pässword"]);

  it.each([
    ["the key is s3cret.", "the key is [redacted]."],
    ["twice: s3cret s3cret", "twice: [redacted] [redacted]"],
    ["a longer one: s3cret-and-longer", "a longer one: [redacted]"],
    ['as it is: quo"te\\d', "as it is: [redacted]"],
    [JSON.stringify({ error: 'said quo"te\\d' }), '{"error":"said [redacted]"}'],
    ["pässword", "[redacted]"],
    ["nothing", "nothing"],
  ])("are taken out of %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

describe("what looks like a secret", () => {
  it.each([
    ["Incorrect API key provided: sk-proj-abcdefghijk", "Incorrect API key provided: [redacted]"],
    ["authorization: Bearer abc.def-ghi=", "authorization: Bearer [redacted]"],
    ["the server said: Bearer abcdefgh-ijk", "the server said: Bearer [redacted]"],
    ['{"Authorization":"Basic dXNlcjpwYXNz"}', '{"Authorization":"Basic [redacted]"}'],
    ["authorization: basic dXNlcjpwYXNz", "authorization: basic [redacted]"],
    ["https://user:pa:ss@host/v1", "https://[redacted]@host/v1"],
    ["https://:pass@host", "https://[redacted]@host"],
    ["redis://token@host:6379", "redis://[redacted]@host:6379"],
    ["https://host/v1?api-key=abc&x=1", "https://host/v1?api-key=[redacted]&x=1"],
    ["GET /?x=1&access_token=abc#top", "GET /?x=1&access_token=[redacted]#top"],
  ])("is taken out of %j", (text, expected) => {
    expect(redactShapes(text)).toBe(expected);
  });

  it.each([
    "http://127.0.0.1:8087/v1",
    "ask-and-answer is no key",
    "the task-force met",
    "mail to ann@example.org",
    "https://host/?page=2",
    "the Bearer of news asks for basic training",
  ])("is not %j", (text) => {
    expect(redactShapes(text)).toBe(text);
  });
});

describe("credentials in an address", () => {
  it.each([
    ["https://user:p%40ss@host/v1", ["user", "user", "p%40ss", "p@ss"]],
    ["https://host/v1", []],
    ["https://user:100%@host", ["user", "user", "100%", "100%"]],
    ["no address", []],
  ])("of %s", (address, expected) => {
    expect(credentialsOf(address)).toEqual(expected);
  });
});
