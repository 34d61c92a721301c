import { describe, expect, it } from "vitest";
import { QUERY_TERMS_MAX, queryTerms, tellingWords } from "./query-terms.js";

const terms = (query: string) => Object.fromEntries(queryTerms(query));

describe("queryTerms", () => {
  it("keeps what is asked about", () => {
    expect(terms("What do I do about acid in my eyes?")).toEqual({ acid: 1, ey: 1 });
    expect(terms("How long should WE wait, and wait for what?")).toEqual({ long: 1, wait: 2 });
  });

  it("keeps question words where there is nothing else", () => {
    expect(terms("What can you do?")).toEqual({ what: 1, can: 1, you: 1, do: 1 });
    expect(terms("to be or not to be")).toEqual({});
  });

  it("stops at the limit, counting on", () => {
    const words = Array.from({ length: QUERY_TERMS_MAX * 2 }, (_, i) => `w${i}`);
    const found = queryTerms(`${words.join(" ")} w0`);
    expect(found.size).toBe(QUERY_TERMS_MAX);
    expect(found.get("w0")).toBe(2);
  });
});

describe("tellingWords", () => {
  it("are written as the query writes them", () => {
    expect(tellingWords("What do I do about Acid in my eyes?")).toBe("Acid eyes");
    expect(tellingWords("What can you do?")).toBe("What can you do");
    expect(tellingWords("to be or not to be")).toBe("");
  });
});
