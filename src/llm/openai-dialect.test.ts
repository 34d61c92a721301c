import { describe, expect, it } from "vitest";
import { type Dialect, dialectOf, LESSONS_MAX, lessonOf, lessonOfNoCall } from "./openai-dialect.js";

const OPENAI = dialectOf("openai", undefined);

describe("the dialect of a server", () => {
  it.each([
    [undefined, "openai"],
    ["https://api.openai.com/v1", "openai"],
    ["https://api.anthropic.com/v1/", "anthropic"],
    ["http://127.0.0.1:11434/v1", "ollama"],
    ["https://ollama.com/v1", "ollama"],
    ["https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1", "bedrock"],
    ["https://bedrock-mantle.us-east-1.api.aws/v1", "bedrock"],
    ["https://notanthropic.com/v1", "openai"],
    ["http://models.plant.example:8000/v1", "openai"],
  ] as const)("at %s is known by its address", (baseUrl, name) => {
    expect(dialectOf("auto", baseUrl)).toBe(dialectOf(name, undefined));
  });

  it("is the one that the settings name, wherever it is", () => {
    expect(dialectOf("vllm", "http://127.0.0.1:11434/v1").maxTokensField).toBe("max_tokens");
  });
});

describe("a refusal", () => {
  const sent = {
    tools: [],
    tool_choice: "required",
    parallel_tool_calls: false,
    max_completion_tokens: 300,
    temperature: 0,
    service_tier: "priority",
    stream_options: {},
    response_format: {},
  };
  const refused = (message: string, param?: string, status = 400) => ({ status, param, message });

  it.each<[string, ReturnType<typeof refused>, Partial<Dialect> | undefined]>([
    [
      "by OpenAI's reasoning models",
      refused("Unsupported value: 'temperature' does not support 0 with this model.", "temperature"),
      { temperature: false },
    ],
    ["of a class of service", refused("Unknown parameter", "service_tier"), { serviceTier: false }],
    [
      "by an old vLLM",
      refused(
        "1 validation error\nparallel_tool_calls\n  Extra inputs are not permitted [type=extra_forbidden]",
      ),
      { parallelToolCalls: false },
    ],
    [
      "of a part of a field",
      refused("Invalid schema", "response_format.json_schema"),
      { structuredOutput: "json_object" },
    ],
    [
      "of the newer token limit",
      refused("json: unknown field max_completion_tokens", undefined, 422),
      { maxTokensField: "max_tokens" },
    ],
    [
      "of a forced call",
      refused("tool_choice='required' is not supported"),
      { toolForcing: "structured_output" },
    ],
    ["of stream options", refused("stream_options: unknown"), { streamOptions: false }],
    [
      "by llama-cpp-python, which takes it for a fault of its own,",
      refused(
        "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), " +
          "'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema'}",
        undefined,
        500,
      ),
      { structuredOutput: "json_object" },
    ],
    ["by a server that broke on it", refused("response_format: out of memory", undefined, 500), undefined],
    ["about something else", refused("The model does not exist", "model"), undefined],
    ["that only quotes a word like it", refused("mytemperature_x is odd"), undefined],
    ["for want of a key", refused("temperature", undefined, 401), undefined],
  ])("%s teaches what it names", (_name, refusal, lesson) => {
    expect(lessonOf(refusal, OPENAI, sent)).toEqual(lesson && { ...OPENAI, ...lesson });
  });

  it("of a message without text teaches to send an empty one, once", () => {
    const words =
      "7 validation errors:\n  {'type': 'string_type', 'loc': ('body', 'messages', 2, " +
      "'ChatCompletionRequestAssistantMessage', 'content'), 'msg': 'Input should be a valid string', 'input': None}";
    const called = { ...sent, messages: [{ role: "assistant", content: null, tool_calls: [] }] };
    const learnt = lessonOf(refused(words, undefined, 500), OPENAI, called);
    expect(learnt).toEqual({ ...OPENAI, contentBesideCalls: "" });
    expect(lessonOf(refused(words, undefined, 500), learnt!, called)).toBeUndefined();
    const spoken = { ...sent, messages: [{ role: "user", content: "How long?" }] };
    expect(lessonOf(refused(words, undefined, 500), OPENAI, spoken)).toBeUndefined();
  });

  it("of a field that was not sent teaches nothing", () => {
    expect(lessonOf(refused("temperature", "temperature"), OPENAI, { model: "m" })).toBeUndefined();
  });

  it("of everything, one field after the other, comes to an end", () => {
    const steps: Dialect[] = [];
    let spoken: Dialect | undefined = OPENAI;
    while (spoken !== undefined && steps.length <= LESSONS_MAX) {
      steps.push(spoken);
      const body: Record<string, unknown> = {
        ...(spoken.parallelToolCalls ? { parallel_tool_calls: false } : {}),
        ...(spoken.streamOptions ? { stream_options: {} } : {}),
        ...(spoken.structuredOutput === "prompt" ? {} : { response_format: {} }),
        ...(spoken.toolForcing === "tool_choice" ? { tool_choice: "required" } : {}),
        ...(spoken.temperature ? { temperature: 0 } : {}),
      };
      spoken = lessonOf(refused(Object.keys(body).join(" ")), spoken, body);
    }
    expect(steps).toHaveLength(7);
  });
});

describe("a missing call", () => {
  it("has the next request make it in the other way, where there is another", () => {
    const schema = lessonOfNoCall(OPENAI);
    expect(schema.toolForcing).toBe("structured_output");
    expect(lessonOfNoCall(schema)).toEqual(OPENAI);
    const anthropic = dialectOf("anthropic", undefined);
    expect(lessonOfNoCall(anthropic)).toBe(anthropic);
  });
});
