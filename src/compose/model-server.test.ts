import { describe, expect, it } from "vitest";
import { modelServer, type ServerSettings } from "./model-server.js";

const OPENAI = "https://api.openai.com/v1";
const HOME = "http://models.plant.example:8080/v1";

describe("the server that embeds or reranks", () => {
  it.each<[string, ServerSettings, ServerSettings, ServerSettings]>([
    ["is the language model's", {}, { apiKey: "llm" }, { apiKey: "llm" }],
    ["is the language model's at home", {}, { baseUrl: HOME }, { baseUrl: HOME }],
    ["may be the same by name", { baseUrl: OPENAI }, { apiKey: "llm" }, { baseUrl: OPENAI, apiKey: "llm" }],
    [
      "may listen on another port",
      { baseUrl: "http://models.plant.example:9090/v1" },
      { baseUrl: HOME, apiKey: "llm" },
      { baseUrl: "http://models.plant.example:9090/v1", apiKey: "llm" },
    ],
    ["of somebody else never sees the key", { baseUrl: HOME }, { apiKey: "llm" }, { baseUrl: HOME }],
    [
      "of somebody else gets its own",
      { baseUrl: HOME, apiKey: "own" },
      { apiKey: "llm" },
      { baseUrl: HOME, apiKey: "own" },
    ],
    [
      "is not the same for a name that only ends like it",
      { baseUrl: "https://api.openai.com.example/v1" },
      { apiKey: "llm" },
      { baseUrl: "https://api.openai.com.example/v1" },
    ],
    ["may have a key of its own", { apiKey: "own" }, { apiKey: "llm" }, { apiKey: "own" }],
  ])("%s", (_name, own, llm, expected) => {
    const { baseUrl, apiKey } = modelServer(own, llm);
    expect({ baseUrl, apiKey }).toEqual({ baseUrl: expected.baseUrl, apiKey: expected.apiKey });
  });
});
