import { describe, expect, it } from "vitest";
import { ModelFailure } from "../llm/port.js";
import { ClaimReader } from "./claims.js";

const first = { text: 'Wait 5 minutes, then say "clear".', passage: 1, quote: "wait {5} minutes [sic]" };
const second = { text: "Tell the supervisor.", passage: 2, quote: "inform\nthe supervisor \\ lead" };
const reply = (question = "") => JSON.stringify({ claims: [first, second], question });

describe("claims that are still being written", () => {
  it("come out whole, whatever the pieces", () => {
    const text = reply();
    for (let split = 0; split <= text.length; split++) {
      const reader = new ClaimReader();
      const claims = [...reader.push(text.slice(0, split)), ...reader.push(text.slice(split))];
      expect(claims).toEqual([first, second]);
      expect(reader.end()).toBe("");
    }
  });

  it("come out one by one", () => {
    const reader = new ClaimReader();
    const text = reply();
    const told = [...text].map((character) => reader.push(character).length);
    expect(told.filter((count) => count === 1)).toHaveLength(2);
    expect(told.lastIndexOf(1)).toBeLessThan(text.length - 1);
  });

  it.each([
    ["a fence", `\`\`\`json\n${reply()}\n\`\`\``],
    ["an introduction", `Here's the "answer": ${reply()} Done.`],
    ["spaces", JSON.stringify(JSON.parse(reply()), null, 2)],
  ])("are found behind %s", (_, text) => {
    const reader = new ClaimReader();
    expect(reader.push(text)).toEqual([first, second]);
    expect(reader.end()).toBe("");
  });

  it("may hold line feeds that are not escaped", () => {
    const reader = new ClaimReader();
    const text = reply().replaceAll("\\n", "\n");
    expect(reader.push(text)).toEqual([first, { ...second, quote: second.quote.replace("\n", " ") }]);
    expect(reader.end()).toBe("");
  });

  it("may be none, with a question instead", () => {
    const reader = new ClaimReader();
    expect(reader.push('{"claims": [], "question": " Which press? "}')).toEqual([]);
    expect(reader.end()).toBe("Which press?");
  });

  it.each(["", "I cannot say.", '{"claims": [', '{"claims": "none"}', '{"claims": [1]}', "[]"])(
    "are malformed when the reply is %j",
    (text) => {
      const reader = new ClaimReader();
      expect(reader.push(text)).toEqual([]);
      expect(() => reader.end()).toThrow(ModelFailure);
    },
  );

  it("are malformed when a part is missing", () => {
    expect(() => new ClaimReader().push('{"claims": [{"text": "a", "passage": 1}')).toThrow(ModelFailure);
  });
});
