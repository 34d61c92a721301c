import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ElasticsearchServer } from "../../../test/support/elasticsearch/server.js";
import { NO_ABORT } from "../conformance.test-util.js";
import { GroupsUnknown } from "../groups/port.js";
import { openTestBed, type TestBed } from "./engine-under-test.test-util.js";
import { ElasticsearchGroups } from "./groups.js";

const PROPERTIES = {
  network: { type: "keyword" },
  username: { type: "keyword" },
  groups: { type: "keyword" },
};
const USERS = [
  { network: "plant", username: "ann", groups: ["fitters", "crew"] },
  { network: "plant", username: "bob", groups: "crew" },
  // A second document of one user adds to the first.
  { network: "plant", username: "bob", groups: ["leads", "crew"] },
  { network: "works", username: "carl", groups: ["crew"] },
  { network: "plant", groups: ["crew"] },
] as const;

let server: ElasticsearchServer;
let bed: TestBed;
let index: string;
let groups: ElasticsearchGroups;

beforeAll(async () => {
  server = await ElasticsearchServer.start();
});
beforeEach(async () => {
  bed = await openTestBed({ url: server.url, apiKey: server.apiKey });
  index = bed.options.embeddingsIndex.replace(/embeddings$/, "groups");
  groups = new ElasticsearchGroups(bed.client, index);
  await bed.client.call(
    "make the groups",
    async (api, options) => {
      await api.indices.create({ index, mappings: { properties: PROPERTIES } } as never, options);
      for (const [at, document] of USERS.entries())
        await api.index({ index, id: `${at}`, document, refresh: true }, options);
    },
    NO_ABORT,
  );
});
afterEach(async () => {
  server.faults.clear();
  await bed.dispose();
});
afterAll(() => server.close());

describe("groups in an index", () => {
  const of = (username: string, network = "plant") => groups.groupsOf({ network, username }, NO_ABORT);
  const members = (group: string, network = "plant") => groups.membersOf(group, network, NO_ABORT);

  it("are those of the user in the network, of all documents of theirs", async () => {
    expect(await of("ann")).toEqual(["fitters", "crew"]);
    expect((await of("bob")).toSorted()).toEqual(["crew", "crew", "leads"]);
    expect(await of("ann", "works")).toEqual([]);
  });

  it("have members in each network, each once", async () => {
    expect((await members("crew")).toSorted()).toEqual(["ann", "bob"]);
    expect(await members("leads")).toEqual(["bob"]);
    expect(await members("crew", "works")).toEqual(["carl"]);
    expect(await members("cooks")).toEqual([]);
  });

  it("are unknown, and never none, where the index cannot be read", async () => {
    const fails = { kind: "answer", status: 503, body: {} } as const;
    server.faults.next({ endpoint: "search" }, fails);
    await expect(members("crew")).rejects.toThrow(GroupsUnknown);
    server.faults.next({ endpoint: "search" }, fails);
    await expect(of("ann")).rejects.toThrow(`The groups in the index ${index} cannot be read`);
    expect(await members("leads")).toEqual(["bob"]);
  });
});
