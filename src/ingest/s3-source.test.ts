import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { S3Server } from "../../test/support/s3-server.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { systemClock } from "../lib/clock.js";
import { Secret } from "../lib/secret.js";
import { loadManifest } from "./manifest.js";
import { DocumentProblem } from "./problem.js";
import { parseS3Address, S3_IDLE_MS_MAX, S3_LIST_MS_MAX, type S3Options, S3Source } from "./s3-source.js";
import { EntryGone, EntryUnreadable, PathProblem, type SourceEntry } from "./source.js";

const NO_ABORT = new AbortController().signal;
/** Pauses are as short as they can be. */
const random = { fraction: () => 0, id: () => "0" };
/** Pauses between two attempts are over at once; deadlines, which are longer, leave a busy machine a second or more. */
const hasty = {
  ...systemClock,
  after: (delayMs: number, run: () => void) =>
    systemClock.after(delayMs < S3_IDLE_MS_MAX ? delayMs / 1000 : delayMs / 10, run),
};

let server: S3Server;
beforeEach(async () => {
  server = await S3Server.start({ pageKeysMax: 3 });
});
afterEach(async () => {
  await server.close();
  server.verify();
});

function open(prefix = "", rest: Partial<S3Options> = {}, clock = systemClock): S3Source {
  const { endpoint, region, accessKeyId, secretAccessKey, bucket } = server;
  const options = { endpoint, region, accessKeyId, secretAccessKey, ...rest };
  return new S3Source({ bucket, prefix }, options, { clock, random });
}

const entry = (key: string, version?: string): SourceEntry => ({
  path: `s3://${server.bucket}/${key}`,
  name: key,
  ...(version === undefined ? {} : { version }),
});
const read = async (source: S3Source, key: string, bytesMax = 1_000) =>
  Buffer.from(await source.read(entry(key), bytesMax, NO_ABORT)).toString("utf8");

describe("listing a bucket", () => {
  it("brings every page, in order, and counts what is of no kind that is read", async () => {
    const keys = Array.from({ length: 10 }, (_, i) => `d${i}.md`);
    for (const key of [...keys].reverse()) server.put(key, `Text of ${key}`);
    server.put("picture.png", "x");
    const { entries, ignoredCount, problems } = await open().list(NO_ABORT);
    expect(entries.map(({ name }) => name)).toEqual(keys);
    expect(entries[0]).toEqual({
      path: "s3://documents/d0.md",
      name: "d0.md",
      version: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    expect([ignoredCount, problems]).toEqual([1, []]);
    expect(server.requests.length).toBe(4);
  });

  it("of a prefix names what is below its folder, and covers nothing else", async () => {
    for (const key of ["docs/a.md", "docs/sub/b.md", "docs.md", "other/c.md"]) server.put(key, "x");
    const source = open("docs/");
    const { entries } = await source.list(NO_ABORT);
    expect(entries.map(({ name }) => name)).toEqual(["a.md", "sub/b.md"]);
    expect(
      ["s3://documents/docs/a.md", "s3://documents/docs.md", "s3://documents2/docs/a.md"].map((path) =>
        source.covers(path),
      ),
    ).toEqual([true, false, false]);
    expect((await open("docs").list(NO_ABORT)).entries.map(({ name }) => name)).toEqual([
      "docs.md",
      "docs/a.md",
      "docs/sub/b.md",
    ]);
  });

  it("takes keys as names, whatever they hold, and reads what they name", async () => {
    const keys = [
      "a b+c%20d&e=f?g#h.md",
      "Größe/日本/🦺.md",
      "quote\"'<>&.md",
      "line\nfeed\u0001.md",
      "a//b.md",
      "~tilde*(x)!.md",
      "back\\slash.md",
    ];
    for (const key of keys) server.put(key, `Text of ${key}`);
    const source = open();
    const { entries, problems } = await source.list(NO_ABORT);
    expect(entries.map(({ name }) => name).sort()).toEqual([...keys].sort());
    expect(problems).toEqual([]);
    for (const found of entries) {
      const bytes = await source.read(found, 1_000, NO_ABORT);
      expect(Buffer.from(bytes).toString("utf8")).toBe(`Text of ${found.name}`);
    }
  });

  it("passes over markers of folders and hidden names, and names keys with dots for folders", async () => {
    for (const key of ["docs/", "docs/a.md", "docs/.git/b.md", "docs/../../etc/c.md", "docs/./d.md"])
      server.put(key, "x");
    const { entries, problems } = await open("docs/").list(NO_ABORT);
    expect(entries.map(({ name }) => name)).toEqual(["a.md"]);
    expect(problems.map(({ type, name }) => [type, name])).toEqual([
      ["invalid", "../../etc/c.md"],
      ["invalid", "./d.md"],
    ]);
  });

  it("of an empty bucket is empty", async () => {
    expect(await open().list(NO_ABORT)).toEqual({ entries: [], ignoredCount: 0, problems: [] });
  });

  it("is tried again when the store is busy, ends the connection or does not answer", async () => {
    server.put("a.md", "x");
    server.failNext("list", { type: "status", status: 503, code: "SlowDown" });
    server.failNext("list", { type: "drop" });
    server.failNext("list", { type: "hang" });
    server.failNext("list", { type: "status", status: 500, code: "InternalError" });
    const { entries } = await open("", {}, hasty).list(NO_ABORT);
    expect(entries).toHaveLength(1);
    expect(server.requests.length).toBe(5);
  });

  it("gives up in the end, and says why", async () => {
    for (let i = 0; i < 5; i++) server.failNext("list", { type: "status", status: 503, code: "SlowDown" });
    const failed = open("", {}, hasty).list(NO_ABORT);
    await expect(failed).rejects.toThrow(
      new PathProblem("s3://documents/ cannot be listed: the store is busy (status 503)"),
    );
  });

  it.each<[string, Partial<S3Options>, RegExp]>([
    ["a secret that does not fit", { secretAccessKey: "wrong" }, /the secret does not fit/],
    ["a key that is not known", { accessKeyId: "AKIANOBODY" }, /access key is not known/],
    ["another region", { region: "us-east-1" }, /another region/],
    ["nobody who listens", { endpoint: "http://127.0.0.1:1" }, /ECONNREFUSED/],
  ])("says what is wrong with %s, and no secret", async (_name, options, message) => {
    const failure = await open("", options, hasty)
      .list(NO_ABORT)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PathProblem);
    expect((failure as Error).message).toMatch(message);
    expect((failure as Error).message).not.toContain(server.secretAccessKey);
  });

  it("shows the keys that the settings have when it is opened", async () => {
    const secretAccessKey = new Secret("withdrawn");
    const list = () => open("", { secretAccessKey }, hasty).list(NO_ABORT);
    await expect(list()).rejects.toThrow(/the secret does not fit/);
    secretAccessKey.become(new Secret(server.secretAccessKey));
    expect(await list()).toMatchObject({ entries: [] });
  });

  it("says that there is no such bucket", async () => {
    const { endpoint, region, accessKeyId, secretAccessKey } = server;
    const options = { endpoint, region, accessKeyId, secretAccessKey };
    const source = new S3Source({ bucket: "elsewhere", prefix: "" }, options, { clock: systemClock, random });
    await expect(source.list(NO_ABORT)).rejects.toThrow(/no such bucket/);
    expect(server.requests.length).toBe(1);
  });

  it("has a deadline for each page", async () => {
    const clock = new VirtualClock();
    for (let i = 0; i < 5; i++) server.failNext("list", { type: "hang" });
    const listed = open("", {}, clock)
      .list(NO_ABORT)
      .catch((error: unknown) => error);
    for (let request = 1; request <= 5; request++) {
      await server.received(request);
      await clock.advance(S3_LIST_MS_MAX);
      await clock.advance(10_000);
    }
    expect(await listed).toMatchObject({ message: expect.stringContaining(`${S3_LIST_MS_MAX} ms`) });
  });

  it("ends when it is aborted", async () => {
    server.failNext("list", { type: "hang" });
    const abort = new AbortController();
    const listed = open().list(abort.signal);
    await server.received(1);
    abort.abort(new Error("stop"));
    await expect(listed).rejects.toThrow("stop");
  });
});

describe("reading an object", () => {
  it("brings its bytes", async () => {
    server.put("a.md", "Oil the chain.");
    server.put("empty.md", "");
    expect(await read(open(), "a.md")).toBe("Oil the chain.");
    expect(await read(open(), "empty.md")).toBe("");
    expect(
      Buffer.from(
        await open("sub/")
          .readNamed("x", 9, NO_ABORT)
          .catch(() => Buffer.from("gone")),
      ).toString(),
    ).toBe("gone");
  });

  it("takes the newest when it changed since it was listed", async () => {
    server.put("a.md", "Old.");
    const source = open();
    const [listed] = (await source.list(NO_ABORT)).entries;
    server.failNext("get", { type: "change", change: () => server.put("a.md", "New.") });
    expect(Buffer.from(await source.read(listed!, 100, NO_ABORT)).toString()).toBe("New.");
    expect(server.requests.slice(1)).toEqual(["get a.md", "get a.md"]);
  });

  it("knows what is gone", async () => {
    await expect(read(open(), "a.md")).rejects.toBeInstanceOf(EntryGone);
  });

  it("refuses what is too large by what the store says of it, unread", async () => {
    server.put("a.md", "x".repeat(1_001));
    const failed = read(open(), "a.md", 1_000);
    await expect(failed).rejects.toBeInstanceOf(DocumentProblem);
    await expect(failed).rejects.toThrow("the file has 1001 bytes, more than the 1000 that are allowed");
  });

  it.each<[string, Parameters<S3Server["failNext"]>[1], boolean]>([
    ["is forbidden", { type: "status", status: 403, code: "AccessDenied" }, false],
    ["comes from a busy store", { type: "status", status: 503, code: "SlowDown" }, true],
    ["ends before it begins", { type: "drop" }, true],
    ["ends in its middle", { type: "half" }, true],
  ])("that %s is unreadable for now", async (_name, fault, retryable) => {
    server.put("a.md", "Oil the chain.");
    server.failNext("get", fault);
    const failed = await read(open(), "a.md").catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(EntryUnreadable);
    expect(failed).toMatchObject({ retryable });
  });

  it.each<"hang" | "stall">(["hang", "stall"])("has a deadline for silence: %s", async (type) => {
    const clock = new VirtualClock();
    server.put("a.md", "Oil the chain.");
    server.failNext("get", { type });
    const failed = read(open("", {}, clock), "a.md").catch((error: unknown) => error);
    await server.received(1);
    // The headers and the first half are on their way; each piece that comes starts the time over.
    while (clock.pending > 0) {
      await clock.advance(S3_IDLE_MS_MAX);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await failed).toBeInstanceOf(EntryUnreadable);
    expect(await failed).toMatchObject({ retryable: true });
  });

  it("ends when it is aborted", async () => {
    server.put("a.md", "Oil the chain.");
    server.failNext("get", { type: "stall" });
    const abort = new AbortController();
    const reading = open().read(entry("a.md"), 100, abort.signal);
    await server.received(1);
    abort.abort(new Error("stop"));
    await expect(reading).rejects.toThrow("stop");
  });
});

describe("what lies above a prefix", () => {
  const NAMES = ["readback.yaml", "readback.json"];
  const above = (prefix: string) => open(prefix, {}, hasty).above(NAMES, NO_ABORT);

  it.each([
    ["docs/", "readback.yaml", "s3://documents/readback.yaml"],
    ["docs/hr/secret", "readback.json", "s3://documents/readback.json"],
    ["docs/hr/", "docs/readback.yaml", "s3://documents/docs/readback.yaml"],
    ["", "readback.yaml", undefined],
    ["do", "readback.yaml", undefined],
    ["docs/", "docs/readback.yaml", undefined],
    ["docs/", "other/readback.yaml", undefined],
  ])("of %j, with %s", async (prefix, key, expected) => {
    server.put(key, "- {path: x, visibility: restricted}");
    expect(await above(prefix)).toBe(expected);
  });

  it("is nothing to an access key that may not look there", async () => {
    for (const _ of NAMES) server.failNext("get", { type: "status", status: 403, code: "AccessDenied" });
    server.put("readback.yaml", "");
    expect(await above("docs/")).toBeUndefined();
  });

  it("is not guessed while the store is out of order", async () => {
    for (let i = 0; i < 5; i++) server.failNext("get", { type: "status", status: 503, code: "SlowDown" });
    await expect(above("docs/")).rejects.toThrow(
      new PathProblem("s3://documents/readback.yaml cannot be looked for: the store is busy (status 503)"),
    );
  });

  it("stops an ingest when it says who may read what", async () => {
    server.put("readback.yaml", "- {path: 'hr/**', visibility: restricted}");
    server.put("hr/pay.md", "Everybody earns the same.");
    const source = open("hr/");
    const deps = { clock: systemClock, random };
    const loaded = loadManifest(source, await source.list(NO_ABORT), deps, NO_ABORT);
    await expect(loaded).rejects.toThrow(/s3:\/\/documents\/readback\.yaml says who may read what/);
  });
});

describe("an address", () => {
  it.each([
    ["s3://documents", { bucket: "documents", prefix: "" }],
    ["s3://documents/", { bucket: "documents", prefix: "" }],
    ["s3://my.docs-1/a/b c/?#", { bucket: "my.docs-1", prefix: "a/b c/?#" }],
  ])("%s", (address, parsed) => expect(parseS3Address(address)).toEqual(parsed));

  it.each(["s3://", "s3:///a", "s3://UPPER/a", "s3://a", "s3://user:key@bucket/"])(
    "%j is none",
    (address) => {
      expect(() => parseS3Address(address)).toThrow(PathProblem);
    },
  );

  it("is the source's name, and leads back to it", () => {
    for (const prefix of ["", "a", "a/b/"]) expect(parseS3Address(open(prefix).name).prefix).toBe(prefix);
  });
});
