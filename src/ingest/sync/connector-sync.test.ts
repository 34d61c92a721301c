import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ATTEMPTS_MAX } from "./batch.js";
import { stagingId } from "./elasticsearch-connector.js";
import { CONNECTOR, NO_ABORT, type Upload, World, type WorldChunk } from "./world.test-util.js";

let world: World;

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const once = () => world.sync().once(NO_ABORT);
const texts = (chunks: readonly WorldChunk[]) => chunks.map(({ text }) => text).join("\n");

describe("a sync", () => {
  it("copies what is pending, with the permissions of its metadata", async () => {
    await world.upload("manuals/lockout.md", "# Lockout\n\nPull the red handle.", { allowed_users: ["ann"] });
    await world.upload("menu.txt", "Soup on Mondays.");
    expect(await once()).toEqual({ synced: 2, failed: 0, removed: 0, doubtful: 0 });
    expect(await world.statuses()).toEqual({ "manuals/lockout.md": "synced", "menu.txt": "synced" });
    expect(await world.chunks()).toMatchObject([
      {
        document_id: "manuals/lockout.md",
        path: "s3://handbooks/manuals/lockout.md",
        source_file: "manuals/lockout.md",
        title: "Lockout",
        text: expect.stringContaining("Pull the red handle."),
        visibility: "restricted",
        allowed_users: ["ann"],
      },
      { document_id: "menu.txt", visibility: "network", allowed_users: [] },
    ]);
    expect(await world.metadata("menu.txt")).toMatchObject({ chunk_count: 1, error: null, title: "Menu" });
  });

  it("takes batches of ten, oldest first, and tells of each phase", async () => {
    for (let i = 0; i < 12; i++) {
      const created_at = new Date(world.clock.now() - (i < 6 ? i : 24 - i) * 60_000).toISOString();
      await world.upload(`d${i}.txt`, `Text number ${i}.`, { created_at, updated_at: created_at });
    }
    await once();
    const batches = world.events.filter(({ type }) => type === "sync_batch_finished");
    expect(batches).toMatchObject([{ synced: 10 }, { synced: 2 }]);
    const phases = world.events.flatMap((event) =>
      event.type === "sync_phase_finished" ? [event.phase] : [],
    );
    const each = ["load", "rules", "job", "reindex", "update"];
    expect(phases).toEqual([...each, ...each]);
    expect(world.events.filter(({ type }) => type === "sync_looked")).toMatchObject([
      { pending: 12, oldestMs: 18 * 60_000 },
      { pending: 2 },
      { pending: 0 },
    ]);
    const first = world.server.requests.find(({ endpoint }) => endpoint === "connector.update_filtering")!;
    const values = JSON.parse(first.body).rules.map(({ value }: { value: string }) => value);
    expect(values).not.toContain("d1.txt");
    expect(values).not.toContain("d0.txt");
    expect(values).toContain("d6.txt");
  });

  it("does nothing when nothing is pending", async () => {
    expect(await once()).toEqual({ synced: 0, failed: 0, removed: 0, doubtful: 0 });
    const changing = world.server.requests.filter(
      ({ path }) => path.startsWith("/_connector") && path.includes("_filtering"),
    );
    expect(changing).toEqual([]);
  });

  it("replaces what a document said before", async () => {
    await world.upload("a.md", "# One\n\nTurn the valve left.\n\n# Two\n\nWait.");
    await once();
    world.bucket.put("a.md", "# One\n\nTurn the valve right.");
    await world.describe("a.md");
    await once();
    const chunks = await world.chunks();
    expect(texts(chunks)).toContain("right");
    expect(texts(chunks)).not.toMatch(/left|Wait/);
  });

  it("keeps networks apart that have the same object", async () => {
    await world.upload("a.txt", "Alpha.", { network: "plant", document_id: "same" });
    const document = {
      network: "shop",
      document_id: "same",
      path: "a.txt",
      status: "pending",
      allowed_users: ["bo"],
    };
    await world.call((api, call) =>
      api.index({ index: world.options.metadataIndex, id: "other", document, refresh: true }, call),
    );
    expect(await once()).toMatchObject({ synced: 2 });
    expect(await world.chunks()).toHaveLength(2);
    const shops = (await world.chunks()).filter(({ network }) => network === "shop");
    expect(shops).toMatchObject([{ visibility: "restricted", allowed_users: ["bo"] }]);
  });
});

describe("permissions", () => {
  it.each([
    ["nothing", {}, "network"],
    ["users", { allowed_users: ["ann"] }, "restricted"],
    ["an empty list", { allowed_users: [] }, "restricted"],
    ["an empty list of groups", { allowed_groups: [] }, "restricted"],
    ["network, with a kiosk", { visibility: "network", allowed_users: ["kiosk1"] }, "network"],
    ["restricted", { visibility: "restricted" }, "restricted"],
    ["another word", { visibility: "everybody" }, "restricted"],
    ["another type", { visibility: 7 }, "restricted"],
  ])("are those of the metadata: %s", async (_name, upload, visibility) => {
    await world.upload("a.txt", "Alpha.", upload as Upload);
    await once();
    expect(await world.chunks()).toMatchObject([
      { visibility, allowed_users: (upload as { allowed_users?: string[] }).allowed_users ?? [] },
    ]);
    expect(await world.metadata("a.txt")).toMatchObject({ visibility, status: "synced" });
  });

  it("are not what the document says of itself", async () => {
    const text = "---\nvisibility: network\n---\n# Pay bands\n\nSecret.";
    await world.upload("pay.md", text, { visibility: "restricted", allowed_groups: ["hr"] });
    await once();
    for (const chunk of await world.chunks())
      expect(chunk).toMatchObject({ visibility: "restricted", allowed_groups: ["hr"], allowed_users: [] });
  });

  it("that the sync filled in give way to lists that come later", async () => {
    await world.upload("a.txt", "Alpha.");
    await once();
    await world.change("a.txt", { status: "pending", allowed_users: ["ann"] });
    await once();
    expect(await world.chunks()).toMatchObject([{ visibility: "restricted", allowed_users: ["ann"] }]);
  });

  it("taken away are without effect before the document's batch comes", async () => {
    await world.upload("a.txt", "Alpha.", { allowed_users: ["ann", "bo"] });
    await once();
    await world.change("a.txt", { status: "pending", allowed_users: ["bo"] });
    world.isConnectorUp = false;
    const stop = new AbortController();
    const running = world.sync().run(() => {}, stop.signal);
    while (!world.server.requests.some(({ path }) => path.endsWith("_filtering") && isLater(path)))
      await turn();
    expect(await world.chunks()).toMatchObject([{ allowed_users: ["bo"] }]);
    stop.abort(new Error("enough"));
    await running;
  });

  it("that change in the middle of a batch are the ones that it ends with", async () => {
    await world.upload("a.txt", "Alpha.", { allowed_users: ["ann"] });
    await world.upload("b.txt", "Beta.");
    let isChanged = false;
    world.clock.onJump(() => {
      const hasJob = world.server.requests.some(({ endpoint }) => endpoint === "connector.sync_job_post");
      if (!hasJob || isChanged) return;
      isChanged = true;
      void world.change("a.txt", { allowed_users: ["bo"] });
    });
    expect(await once()).toEqual({ synced: 2, failed: 0, removed: 0, doubtful: 0 });
    expect(isChanged).toBe(true);
    expect(await world.chunks("a.txt")).toMatchObject([{ allowed_users: ["bo"] }]);
    expect(await world.statuses()).toEqual({ "a.txt": "synced", "b.txt": "synced" });
  });
});

/** The second draft of a test: the first is that of the document's first copy. */
function isLater(path: string): boolean {
  return world.server.requests.filter((request) => request.path === path).length > 1;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("a document that cannot be synced", () => {
  it.each([
    ["too large for the connector", "big.txt", "x".repeat(10_485_761), /over 10485760 bytes.*has 10485761/],
    ["empty", "empty.txt", "", /empty/],
    ["of a kind without text", "sound.wav", "RIFF", /no text in it.*\.wav/],
    ["without an extension", "README", "Read me.", /without an extension/],
  ])("fails with its reason, and alone: %s", async (_name, key, text, reason) => {
    await world.upload(key, text);
    await world.upload("good.txt", "Good.");
    expect(await once()).toEqual({ synced: 1, failed: 1, removed: 0, doubtful: 0 });
    expect(await world.metadata(key)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(reason),
    });
    expect(await world.statuses()).toMatchObject({ "good.txt": "synced" });
    expect(await world.chunks()).toHaveLength(1);
  });

  it.each([
    ["no network", { network: null }, /name no network/],
    ["another bucket", { path: "s3://elsewhere/a.txt" }, /does not lie in the bucket handbooks/],
    ["no path", { path: "" }, /name no object/],
  ])("fails for its metadata: %s", async (_name, upload, reason) => {
    await world.upload("a.txt", "Alpha.", upload as Upload);
    expect(await once()).toEqual({ synced: 0, failed: 1, removed: 0, doubtful: 0 });
    expect(await world.metadata("a.txt")).toMatchObject({
      status: "failed",
      error: expect.stringMatching(reason),
    });
  });

  it("is tried a few times when the connector does not find it, and its earlier content goes", async () => {
    await world.upload("a.txt", "Alpha.");
    await once();
    world.bucket.remove("a.txt");
    await world.change("a.txt", { status: "pending" });
    expect(await once()).toEqual({ synced: 0, failed: 1, removed: 0, doubtful: 0 });
    const jobs = world.server.requests.filter(({ endpoint }) => endpoint === "connector.sync_job_post");
    expect(jobs).toHaveLength(1 + ATTEMPTS_MAX);
    expect(await world.metadata("a.txt")).toMatchObject({
      status: "failed",
      error: "the connector did not find s3://handbooks/a.txt",
    });
    expect(await world.chunks()).toEqual([]);
  });

  it("is not tried again until it is marked as pending again", async () => {
    await world.upload("a.txt", "");
    await once();
    world.bucket.put("a.txt", "Now it has text.");
    expect(await once()).toEqual({ synced: 0, failed: 0, removed: 0, doubtful: 0 });
    await world.change("a.txt", { status: "pending" });
    expect(await once()).toEqual({ synced: 1, failed: 0, removed: 0, doubtful: 0 });
    expect(await world.metadata("a.txt")).toMatchObject({ status: "synced", error: null });
  });
});

describe("a job of the connector", () => {
  it("that fails is tried again", async () => {
    await world.upload("a.txt", "Alpha.");
    world.connectors.failNextJob({ afterDocuments: 0, error: "AccessDenied" });
    expect(await once()).toEqual({ synced: 1, failed: 0, removed: 0, doubtful: 0 });
  });

  it("that always fails fails the documents, with what it says", async () => {
    await world.upload("a.txt", "Alpha.");
    for (let i = 0; i < ATTEMPTS_MAX; i++)
      world.connectors.failNextJob({ afterDocuments: 0, error: "AccessDenied" });
    expect(await once()).toEqual({ synced: 0, failed: 1, removed: 0, doubtful: 0 });
    expect(await world.metadata("a.txt")).toMatchObject({ error: expect.stringContaining("AccessDenied") });
  });

  it("that is suspended is cancelled and started anew", async () => {
    await world.upload("a.txt", "Alpha.");
    world.connectors.suspend();
    expect(await once()).toEqual({ synced: 1, failed: 0, removed: 0, doubtful: 0 });
  });

  it("that never ends is cancelled when its time is over", async () => {
    await world.upload("a.txt", "Alpha.");
    let jumps = 0;
    world.isConnectorUp = false;
    world.clock.onJump(() => {
      const { jobs } = world.server.cluster.connectors;
      const isStuck = [...jobs.values()].some(({ status }) => status === "in_progress") && jumps < 100;
      if (isStuck) jumps += 1;
      else world.connectors.step();
    });
    expect(await once()).toEqual({ synced: 1, failed: 0, removed: 0, doubtful: 0 });
    const statuses = [...world.server.cluster.connectors.jobs.values()].map(({ status }) => status);
    expect(statuses).toEqual(["canceled", "completed"]);
  });

  it("of somebody else is cancelled first", async () => {
    await world.upload("a.txt", "Alpha.");
    const { id } = await world.call((api, call) =>
      api.connector.syncJobPost({ id: CONNECTOR, job_type: "full", trigger_method: "on_demand" }, call),
    );
    world.isConnectorUp = false;
    world.clock.onJump(() => {
      const { connectors } = world.server.cluster;
      if (connectors.jobs.get(id)?.status !== "pending") world.isConnectorUp = true;
      else if ([...connectors.connectors.values()].some(({ draft }) => draft.validation.state === "edited"))
        world.connectors.step();
    });
    expect(await once()).toEqual({ synced: 1, failed: 0, removed: 0, doubtful: 0 });
    const statuses = [...world.server.cluster.connectors.jobs.values()].map(({ status }) => status);
    expect(statuses).toEqual(["canceled", "completed"]);
  });

  it("whose start was answered by a broken connection is found, and not started twice", async () => {
    await world.upload("a.txt", "Alpha.");
    world.server.faults.next({ endpoint: "connector.sync_job_post" }, { kind: "reset", when: "after" });
    await expect(once()).rejects.toThrow(/cannot be reached/);
    expect(await once()).toEqual({ synced: 1, failed: 0, removed: 0, doubtful: 0 });
    expect([...world.server.cluster.connectors.jobs.keys()]).toHaveLength(1);
  });
});

describe("the connector's rules", () => {
  it("are waited for as long as it takes, and given up with what to do", async () => {
    await world.upload("a.txt", "Alpha.");
    world.isConnectorUp = false;
    await expect(once()).rejects.toThrow(/not looked at its filtering rules for 300 s.*connector service/);
    expect(await world.statuses()).toEqual({ "a.txt": "pending" });
    world.isConnectorUp = true;
    expect(await once()).toEqual({ synced: 1, failed: 0, removed: 0, doubtful: 0 });
  });

  it("that the connector refuses fail the documents that they are for", async () => {
    await world.upload("a.txt", "Alpha.");
    await world.upload("b.txt", "Beta.");
    world.isConnectorUp = false;
    let isRefused = false;
    world.clock.onJump(() => {
      const { connectors } = world.server.cluster;
      const draft = connectors.get(CONNECTOR).draft;
      const rule = draft.rules.find(({ value }) => value === "a.txt");
      if (draft.validation.state === "edited" && rule !== undefined && !isRefused) {
        isRefused = true;
        connectors.setValidation(CONNECTOR, {
          state: "invalid",
          errors: [{ ids: [rule.id], messages: ["no such field"] }],
        });
      } else world.connectors.step();
    });
    expect(await once()).toEqual({ synced: 1, failed: 1, removed: 0, doubtful: 0 });
    expect(await world.metadata("a.txt")).toMatchObject({
      status: "failed",
      error: "the connector refuses the rule for its key: no such field",
    });
  });
});

describe("the staging index", () => {
  it("full of other documents changes nothing", async () => {
    for (let i = 0; i < 20; i++) {
      const document = { filename: `x${i}.txt`, bucket: "other", body: "Foreign.", size_in_bytes: 8 };
      await world.call((api, call) => api.index({ index: world.options.stagingIndex, document }, call));
    }
    const id = stagingId("handbooks", "a.txt");
    const document = { filename: "b.txt", bucket: "handbooks", body: "Of another key.", size_in_bytes: 3 };
    await world.call((api, call) => api.index({ index: world.options.stagingIndex, id, document }, call));
    await world.upload("a.txt", "Alpha.");
    expect(await once()).toEqual({ synced: 1, failed: 0, removed: 0, doubtful: 0 });
    expect(texts(await world.chunks())).toBe("Alpha.");
  });

  it.each(["embeddingsIndex", "metadataIndex", "syncIndex"] as const)(
    "must not be the live %s",
    async (name) => {
      await world.close();
      world = await World.open({
        stagingIndex: {
          embeddingsIndex: "document-embeddings",
          metadataIndex: "document-metadata",
          syncIndex: "document-sync",
        }[name],
      });
      await world.upload("a.txt", "Alpha.");
      await expect(once()).rejects.toThrow(/give it an index of its own/);
      expect(await world.statuses()).toEqual({ "a.txt": "pending" });
    },
  );

  it("must not be a live index by another name", async () => {
    await world.close();
    world = await World.open({ stagingIndex: "document-embeddings-v1" });
    await expect(once()).rejects.toThrow(/give it an index of its own/);
  });

  it("must be where the connector writes to", async () => {
    await world.close();
    world = await World.open({}, "search-handbooks");
    await expect(once()).rejects.toThrow(
      /writes into the index "search-handbooks".*has to write into "document-staging"/,
    );
  });
});

describe("deletions", () => {
  it("take the chunks and then the metadata", async () => {
    await world.upload("a.txt", "Alpha.");
    await world.upload("b.txt", "Beta.");
    await once();
    await world.change("a.txt", { status: "deleted" });
    expect(await once()).toEqual({ synced: 0, failed: 0, removed: 1, doubtful: 0 });
    expect(await world.statuses()).toEqual({ "b.txt": "synced" });
    expect(texts(await world.chunks())).toBe("Beta.");
  });

  it("leave a document alone that was uploaded again under other metadata", async () => {
    await world.upload("a.txt", "Alpha.");
    await once();
    await world.change("a.txt", { status: "deleted" });
    const document = { network: "plant", document_id: "a.txt", path: "a.txt", status: "pending" };
    await world.call((api, call) =>
      api.index({ index: world.options.metadataIndex, id: "again", document, refresh: true }, call),
    );
    expect(await once()).toEqual({ synced: 1, failed: 0, removed: 1, doubtful: 0 });
    expect(await world.statuses()).toEqual({ again: "synced" });
    expect(await world.chunks()).toHaveLength(1);
  });

  it("of metadata leave no chunks behind", async () => {
    await world.upload("a.txt", "Alpha.");
    await world.upload("b.txt", "Beta.");
    await once();
    await world.call((api, call) =>
      api.delete({ index: world.options.metadataIndex, id: "meta-a.txt", refresh: true }, call),
    );
    const stop = new AbortController();
    await world.sync().run(() => {
      stop.abort(new Error("enough"));
    }, stop.signal);
    expect(texts(await world.chunks())).toBe("Beta.");
  });
});

describe("revisions", () => {
  const manual = (revision: string) => ({ title: "Lockout", revision });

  it("of one title learn of each other, in one batch or in several", async () => {
    await world.upload("old.txt", "Old words.", manual("1"));
    await world.upload("new.txt", "New words.", manual("2"));
    await once();
    expect(await world.chunks()).toMatchObject([
      { document_id: "new.txt", superseded_for_network: false },
      { document_id: "old.txt", superseded_for_network: true },
    ]);
    expect(await world.statuses()).toEqual({ "old.txt": "synced", "new.txt": "synced" });
    await world.change("new.txt", { status: "deleted" });
    await once();
    expect(await world.chunks()).toMatchObject([{ document_id: "old.txt", superseded_for_network: false }]);
  });
});
