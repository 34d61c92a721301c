/** The gRPC door, asked by a client that has the protocol's file, and found by reflection. */

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { credentials, loadPackageDefinition, status } from "@grpc/grpc-js";
import { loadFileDescriptorSetFromObject, loadSync } from "@grpc/proto-loader";
import { describe, expect, onTestFinished, test } from "vitest";
import { searchReply, textReply } from "../../support/openai-replies.js";
import { Drip, librarian } from "../script.js";
import { World } from "../world.js";
import {
  all,
  CANTEEN_SAYS,
  documents,
  type GrpcError,
  type GrpcReply,
  type GrpcStream,
  grpc,
  metadata,
  offline,
  QUESTION,
  ROUTE,
  WHO,
} from "./ask.js";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const PROTOS = fileURLToPath(new URL("../../../proto", import.meta.url));
const REFLECTION_PROTOS = fileURLToPath(
  new URL("../proto/grpc/reflection", `file://${require.resolve("@grpc/reflection")}`),
);

const base64 = (text: string) => Buffer.from(text).toString("base64");

async function failureOf(stream: GrpcStream): Promise<GrpcError> {
  return all(stream).then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => error as GrpcError,
  );
}

describe("AskAgentStream", () => {
  test("sends each sentence as soon as it is checked, and ends with an empty text that is final", async () => {
    const world = await World.start({ documents });
    const pieces = new Drip<string>();
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(pieces));
    const [first, second, third] = CANTEEN_SAYS;
    pieces.put(`${first} ${second} Its `);
    const stream = grpc(world).AskAgentStream({ query: "Where is the canteen?", ...WHO });
    const replies = stream[Symbol.asyncIterator]();
    // The model is still writing.
    expect((await replies.next()).value).toMatchObject({ text: first });
    pieces.put(third.replace("Its ", ""));
    pieces.close();
    const rest = await all<GrpcReply>({ [Symbol.asyncIterator]: () => replies });
    expect(rest.map(({ text, is_final }) => [text ?? "", is_final ?? false])).toEqual([
      [` ${second}`, false],
      [` ${third}`, false],
      ["", true],
    ]);
    expect(rest.at(-1)).toMatchObject({ outcome: "answered", sources: [{ title: "The canteen" }] });
  });

  test("holds a conversation by its session id", async () => {
    const world = await World.start({ documents, respond: librarian });
    const client = grpc(world);
    const say = async (query: string, session_id: string) => {
      const from = world.server.requests.length;
      const replies = await all(client.AskAgentStream({ query, session_id, ...WHO, query_type: ROUTE }));
      expect(replies.map(({ text }) => text).join("")).toContain("LOCKOUT71");
      return world.server.requests
        .slice(from)
        .map(({ body }) => JSON.stringify(body))
        .join();
    };
    await say("press 4 lockout FIRSTWORD", "s-1");
    expect(await say("press 4 lockout tag", "s-1")).toContain("FIRSTWORD");
    expect(await say("press 4 lockout tag", "s-2")).not.toContain("FIRSTWORD");
    expect(await say("press 4 lockout tag", "")).not.toContain("FIRSTWORD");
  });

  test("is stopped when the client cancels", async () => {
    const world = await World.start({ documents });
    const pieces = new Drip<string>();
    world.server.expectChat(searchReply("canteen")).expectChat(textReply(pieces));
    pieces.put(`${CANTEEN_SAYS[0]} It `);
    const stream = grpc(world).AskAgentStream({ query: "Where is the canteen?", ...WHO });
    const replies = stream[Symbol.asyncIterator]();
    await replies.next();
    stream.cancel();
    await expect(replies.next()).rejects.toMatchObject({ code: status.CANCELLED });
    expect(await world.server.requests.at(-1)?.over).toBe("aborted");
    expect((await world.happened("turn_finished")).result).toBe("cancelled");
    expect(await world.happened("door_request_finished")).toMatchObject({
      door: "grpc",
      result: "disconnected",
    });
  });
});

describe("AskAgent", () => {
  test("answers in one message", async () => {
    const world = await offline();
    const [reply, ...more] = await all(grpc(world).AskAgent({ query: QUESTION, ...WHO }));
    expect(reply).toMatchObject({
      text: expect.stringContaining("breaker B12"),
      is_final: true,
      outcome: "answered",
    });
    expect(more).toEqual([]);
  });

  test("needs nobody named where the settings name one", async () => {
    const world = await offline({
      config: { "http.default_network": "acme", "http.default_username": "bob" },
    });
    await all(grpc(world).AskAgent({ query: QUESTION }));
    expect((await world.happened("turn_started")).user).toEqual({ network: "acme", username: "bob" });
  });

  test("takes what is attached as base64, and user info as JSON too", async () => {
    const world = await offline();
    const client = grpc(world);
    const attached = {
      editor_content: base64("größer"),
      selected_text: base64("x".repeat(1_000)),
      extra_context: base64('{"usage":"80%"}'),
    };
    for (const user_info of ['{"dev_id":7}', base64('{"dev_id":"d"}')]) {
      const [reply] = await all(client.AskAgent({ query: QUESTION, ...WHO, ...attached, user_info }));
      expect(reply?.is_final).toBe(true);
    }
  });
});

describe("bad input", () => {
  const CASES: readonly [what: string, request: object, code: status, field: string | undefined][] = [
    ["no question", {}, status.INVALID_ARGUMENT, "query"],
    ["a blank question", { query: "  " }, status.INVALID_ARGUMENT, "query"],
    ["a long question", { query: "word ".repeat(300) }, status.INVALID_ARGUMENT, undefined],
    ["no base64", { query: "x", editor_content: "größer" }, status.INVALID_ARGUMENT, "editor_content"],
    ["no UTF-8", { query: "x", selected_text: "/w==" }, status.INVALID_ARGUMENT, "selected_text"],
    ["no JSON", { query: "x", user_info: base64("dev") }, status.INVALID_ARGUMENT, "user_info"],
    ["a list", { query: "x", user_info: "[1]" }, status.INVALID_ARGUMENT, "user_info"],
    ["a bad name", { query: "x", network: "a\nb" }, status.INVALID_ARGUMENT, "network"],
  ];

  test("gets INVALID_ARGUMENT with the field", async () => {
    const world = await offline();
    const client = grpc(world);
    for (const [what, request, code, field] of CASES) {
      const failure = await failureOf(client.AskAgentStream({ ...WHO, ...request }));
      expect(failure.code, what).toBe(code);
      expect(failure.metadata.get("readback-field")[0], what).toBe(field);
    }
    const huge = await failureOf(client.AskAgent({ query: "x".repeat(2_000_000), ...WHO }));
    expect(huge.code).toBe(status.RESOURCE_EXHAUSTED);
    const [reply] = await all(client.AskAgent({ query: QUESTION, ...WHO }));
    expect(reply?.is_final).toBe(true);
    expect(world.eventsOf("service_fault")).toEqual([]);
  });
});

describe("API keys", () => {
  test("are taken from the metadata, and bind", async () => {
    const keys = [{ key: "kiosk-key-1", networks: ["acme"], username: "kiosk-1", groups: [] }];
    const world = await offline({ config: { "http.api_keys": keys } });
    const client = grpc(world);
    expect((await failureOf(client.AskAgent({ query: QUESTION }))).code).toBe(status.UNAUTHENTICATED);
    const bearer = metadata({ authorization: "Bearer kiosk-key-1" });
    const [reply] = await all(client.AskAgent({ query: QUESTION }, bearer));
    expect(reply?.text).toContain("B12");
    expect((await world.happened("turn_started")).user).toEqual({ network: "acme", username: "kiosk-1" });
    const other = await failureOf(
      client.AskAgent({ query: "x", username: "ann" }, metadata({ "x-api-key": "kiosk-key-1" })),
    );
    expect(other.code).toBe(status.PERMISSION_DENIED);
    expect(world.log).not.toContain("kiosk-key-1");
  });
});

describe("the protocol", () => {
  test("is told by reflection, and whoever learnt it there can ask", async () => {
    const world = await offline();
    const target = `127.0.0.1:${world.ports.grpc}`;
    const files = await reflected(target, "brunix.AssistanceEngine");
    const { AssistanceEngine } = loadPackageDefinition(files).brunix as unknown as {
      AssistanceEngine: new (
        target: string,
        credentials: object,
      ) => { askAgent(request: object): GrpcStream; close(): void };
    };
    const client = new AssistanceEngine(target, credentials.createInsecure());
    onTestFinished(() => client.close());
    const [reply] = await all(client.askAgent({ query: QUESTION, ...WHO }));
    expect(reply?.text).toContain("B12");
  });

  test("is told as Google's compiler reads it, and a client in Python has a conversation by that", async () => {
    const world = await offline();
    const asked = (query: string) => JSON.stringify({ query, session_id: "s-1", ...WHO });
    const { compiled, replies, services, told } = await pythonByReflection(
      `127.0.0.1:${world.ports.grpc}`,
      asked(QUESTION),
      asked("What is your source?"),
    );
    expect(services).toEqual(expect.arrayContaining(["brunix.AssistanceEngine", "grpc.health.v1.Health"]));
    expect(told).toEqual(compiled);
    const [[answer, ...more], [source]] = replies as [GrpcReply[], GrpcReply[]];
    expect(more).toEqual([]);
    expect(answer).toMatchObject({ text: expect.stringContaining("B12"), is_final: true });
    const title = answer!.sources![0]!.title;
    expect(source!.text).toContain(title);
  });

  test("comes with the health service", async () => {
    const world = await offline();
    const proto = loadSync(join(PROTOS, "health.proto"), { enums: String });
    const { Health } = (
      loadPackageDefinition(proto) as unknown as {
        grpc: { health: { v1: { Health: new (target: string, credentials: object) => HealthClient } } };
      }
    ).grpc.health.v1;
    const client = new Health(`127.0.0.1:${world.ports.grpc}`, credentials.createInsecure());
    onTestFinished(() => client.close());
    expect(await new Promise((resolve) => client.check({}, (_error, reply) => resolve(reply)))).toEqual({
      status: "SERVING",
    });
  });

  test("knows no data set where none is", async () => {
    const world = await offline();
    const failure = await new Promise<GrpcError | null>((resolve) => grpc(world).EvaluateRAG({}, resolve));
    expect(failure?.code).toBe(status.NOT_FOUND);
  });
});

/** What a client in Python finds by reflection, and the replies that it is given to each request, a message in JSON. */
async function pythonByReflection(
  target: string,
  ...requests: readonly string[]
): Promise<{ services: string[]; told: object; compiled: object; replies: GrpcReply[][] }> {
  const folder = await mkdtemp(join(tmpdir(), "readback-reflection-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const compiled = join(folder, "compiled.bin");
  const includes = [PROTOS, `${REFLECTION_PROTOS}/v1alpha`].map((path) => `--proto_path=${path}`);
  await run("protoc", [...includes, `--descriptor_set_out=${compiled}`, "brunix.proto", "reflection.proto"]);
  const client = fileURLToPath(new URL("../../support/reflection_client.py", import.meta.url));
  const what = ["brunix.AssistanceEngine", "AskAgent"];
  // Debian's Python: scripts/test-tools.sh installs its libraries.
  const { stdout } = await run("/usr/bin/python3", [client, target, compiled, ...what, ...requests]);
  return JSON.parse(stdout);
}

interface HealthClient {
  check(request: object, done: (error: unknown, reply: unknown) => void): void;
  close(): void;
}

type Reflection = {
  ServerReflectionInfo(): NodeJS.ReadWriteStream &
    AsyncIterable<{ file_descriptor_response: { file_descriptor_proto: Buffer[] } }>;
  close(): void;
};

/** The definition of what a server says that `symbol` is. */
async function reflected(target: string, symbol: string) {
  const proto = loadSync(`${REFLECTION_PROTOS}/v1/reflection.proto`, { keepCase: true });
  const { ServerReflection } = (
    loadPackageDefinition(proto) as unknown as {
      grpc: {
        reflection: { v1: { ServerReflection: new (target: string, credentials: object) => Reflection } };
      };
    }
  ).grpc.reflection.v1;
  const client = new ServerReflection(target, credentials.createInsecure());
  onTestFinished(() => client.close());
  const call = client.ServerReflectionInfo();
  call.write({ file_containing_symbol: symbol } as unknown as string);
  call.end();
  const [reply] = await all(call);
  const { FileDescriptorProto } = require("protobufjs/ext/descriptor") as {
    FileDescriptorProto: { decode(bytes: Uint8Array): object };
  };
  const file = reply!.file_descriptor_response.file_descriptor_proto.map((bytes) =>
    FileDescriptorProto.decode(bytes),
  );
  return loadFileDescriptorSetFromObject({ file } as Parameters<typeof loadFileDescriptorSetFromObject>[0]);
}
