/** Guides and their runs over HTTP, against a whole service: found, checked, brought in, written out, begun and taken on. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ledgerFiles, readPublicKey } from "../../../src/operate/ledger/files.js";
import type { LedgerEntry } from "../../../src/operate/ledger/port.js";
import { rowsIn, verifyLedger } from "../../../src/operate/ledger/rows.js";
import { Database } from "../../../src/store/database.js";
import { LAYOUTS } from "../../../src/store/embedded-guide-runs.js";
import type { World } from "../world.js";
import { address, offline, post } from "./ask.js";

const KEYS = {
  ann: { key: "ann-key-0123456789", networks: ["acme"], username: "ann" },
  bob: { key: "bob-key-0123456789", networks: ["acme"], username: "bob", groups: ["leads"] },
  author: { key: "author-key-0123456789", networks: ["acme"], username: "maria", roles: ["ask", "author"] },
  anybody: { key: "free-key-0123456789" },
  other: { key: "other-key-0123456789", networks: ["other"], username: "ann" },
} as const;
type Who = keyof typeof KEYS;

const SWAP = `
readback_guide: 1
id: swap
name: Swap the pump
flow_type: procedural
status: published
intake: [{name: line, label: "Which line?"}]
steps:
  - {id: tell, kind: instruct, title: Tell, text: "Tell the crew of [VAR:line]."}
  - {id: p, kind: record, title: Pressure, text: "What does the gauge show?", variable: p, unit: bar, max: 4, otherwise: z}
  - {id: h, kind: hold_point, title: Second look, text: "A colleague looks at it.", group: leads}
  - {id: o, kind: operate, title: Start, resource: plant/pump/p2, action: start, otherwise: by-hand}
  - {id: by-hand, kind: instruct, title: By hand, text: "Press the green button."}
  - {id: z, kind: end, title: Done}
`;
const PAYROLL = `
readback_guide: 1
id: safe
name: Open the safe
flow_type: procedural
status: published
steps:
  - {id: a, kind: instruct, title: Open, text: "Open the safe.", source: {document: payroll.md, place: Payroll}}
  - {id: z, kind: end, title: Done}
`;

async function service(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "readback-guides-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "acme"));
  writeFileSync(join(folder, "acme", "swap.yaml"), SWAP);
  writeFileSync(join(folder, "acme", "safe.yaml"), PAYROLL);
  cpSync("examples/guides/label-printer-down.yaml", join(folder, "acme", "labels.yaml"));
  return offline({
    config: { "http.api_keys": Object.values(KEYS), "guides.dir": folder, "guides.help_users": ["bob"] },
  });
}

const keyOf = (who: Who) => ({ "x-api-key": KEYS[who].key });

async function got(world: World, who: Who, path: string) {
  const response = await fetch(address(world, path), { headers: keyOf(who) });
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return { status: response.status, body: isJson ? await response.json() : await response.text() };
}

async function sent(world: World, who: Who, path: string, body: unknown) {
  const response = await post(world, path, body, { headers: keyOf(who) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("guides are listed and shown under the one access rule, of their sources too", async () => {
  const world = await service();
  const listed = async (who: Who, query = "") => {
    const { body } = await got(world, who, `/api/v1/guides${query}`);
    return (body as { guides: { id: string }[] }).guides.map(({ id }) => id);
  };
  expect(await listed("ann")).toEqual(["label-printer-down", "swap"]);
  expect(await listed("anybody", "?network=acme&username=eve&groups=managers")).toContain("safe");
  expect(await listed("other")).toEqual([]);
  expect((await got(world, "ann", "/api/v1/guides")).body).toMatchObject({
    guides: [{ flow_type: "troubleshooting", version: 1, steps: 9 }, { name: "Swap the pump" }],
  });
  expect((await got(world, "ann", "/api/v1/guides/swap")).body).toMatchObject({
    readback_guide: 1,
    id: "swap",
  });
  const none = { error: { code: "not_found", message: "There is no such guide that this person may use." } };
  for (const id of ["safe", "none"])
    expect(await got(world, "ann", `/api/v1/guides/${id}`)).toMatchObject({ status: 404, body: none });
  expect(await got(world, "ann", "/api/v1/guides?network=other")).toMatchObject({ status: 403 });
  expect((await fetch(address(world, "/api/v1/guides"))).status).toBe(401);
  expect((await got(world, "ann", "/api/v1/guides/swap/export?as=markdown")).body).toContain(
    "# Swap the pump",
  );
  const refused = await got(world, "ann", "/api/v1/guides/swap/export?as=procedural");
  expect(refused).toMatchObject({ status: 400, body: { error: { code: "bad_parameter", field: "guide" } } });
  expect(await got(world, "ann", "/api/v1/guides/swap/export?as=pdf")).toMatchObject({
    status: 400,
    body: { error: { code: "bad_parameter", field: "as" } },
  });
});

test("what is brought in is a draft of its author, and never writes over what is published", async () => {
  const world = await service();
  expect(await sent(world, "ann", "/api/v1/guides", { guide: FLOW })).toMatchObject({
    status: 403,
    body: { error: { code: "forbidden", message: expect.stringContaining('"author"') } },
  });
  const made = await sent(world, "author", "/api/v1/guides", { guide: FLOW });
  expect(made).toMatchObject({
    status: 201,
    body: { id: "reset-a-password", status: "draft", owner: "maria", origin: "rfflow", findings: [] },
  });
  expect((await got(world, "author", "/api/v1/guides/reset-a-password/export?as=rfflow")).body).toEqual(FLOW);
  for (const who of ["ann", "other"] as const)
    expect((await got(world, who, "/api/v1/guides/reset-a-password")).status).toBe(404);
  expect((await sent(world, "author", "/api/v1/guides", { guide: FLOW })).status).toBe(409);
  expect((await sent(world, "author", "/api/v1/guides", { guide: FLOW, replace: true })).status).toBe(201);
  const { body: swap } = await got(world, "ann", "/api/v1/guides/swap");
  expect(await sent(world, "author", "/api/v1/guides", { guide: swap, replace: true })).toMatchObject({
    status: 409,
    body: { error: { code: "conflict" } },
  });
  const next = { ...(swap as object), version: 2, users: ["eve"] };
  expect((await sent(world, "author", "/api/v1/guides", { guide: next })).status).toBe(201);
  const { body } = await got(world, "author", "/api/v1/guides/swap/versions");
  expect(body).toMatchObject({ versions: [{ version: 2, status: "draft", owner: "maria" }, { version: 1 }] });
  expect((await got(world, "ann", "/api/v1/guides/swap")).body).toMatchObject({ version: 1 });
  const broken = { guide: { ...(swap as object), steps: [{ id: "a", kind: "dance" }] } };
  expect(await sent(world, "author", "/api/v1/guides", broken)).toMatchObject({
    status: 400,
    body: { error: { code: "bad_parameter", message: expect.stringContaining("step a"), field: "guide" } },
  });
  const checked = await sent(world, "ann", "/api/v1/guides/check", {
    guide: { ...(swap as object), steps: STEPS },
  });
  expect(checked.body).toMatchObject({
    guide: "swap",
    findings: [{ rule: "end-last" }, { rule: "dead-end" }],
  });
  const text =
    "readback_guide: 1\nid: a\nname: A # of a file\nflow_type: procedural\nsteps: [{ id: z, kind: end, title: Z }]";
  const read = (file: object) => sent(world, "ann", "/api/v1/guides/check", { guide: text, ...file });
  expect(await read({ file: "a.yaml" })).toMatchObject({ body: { guide: "a", steps: 1, findings: [] } });
  const nothing = await sent(world, "ann", "/api/v1/guides/check", { guide: {} });
  expect(nothing.body).toMatchObject({
    error: { message: expect.stringContaining("`readback_guide` is missing") },
  });
  expect(await got(world, "ann", "/api/v1/guide_runs?all=maybe")).toMatchObject({
    body: { error: { message: '"all": expected true or false.', field: "all" } },
  });
  expect(await read({})).toMatchObject({
    status: 400,
    body: {
      error: {
        message: expect.stringMatching(/^.*guide\.json cannot be read:.*is not JSON/s),
        field: "guide",
      },
    },
  });
});

const FLOW = {
  ...{ version: "1.0", flow_type: "procedural", name: "Reset a password", unknown: 1 },
  steps: [
    {
      id: "a",
      type: "procedure_step",
      title: "Console",
      description: "Open the console.",
      content_type: "action",
    },
    { id: "z", type: "procedure_end", title: "Done" },
  ],
  intake_form: [{ variable_name: "user", label: "User", field_type: "text", required: true }],
};
const STEPS = [{ id: "a", kind: "instruct", title: "A", text: "Tell the crew." }];

/** What the ledger has of a run, every row signed. */
async function ledgerOf(world: World, operation: string): Promise<readonly LedgerEntry[]> {
  const files = ledgerFiles(world.dataDir);
  expect((await verifyLedger(files, await readPublicKey(files.key), "all")).flaw).toBeUndefined();
  const entries: LedgerEntry[] = [];
  for await (const { entry } of rowsIn(files.rows)) if (entry.operation === operation) entries.push(entry);
  return entries;
}

test("a run is begun, taken on by who works, confirmed by a second key, and leaves its record", async () => {
  const world = await service();
  const path = "/api/v1/guide_runs";
  const begun = await sent(world, "ann", path, { guide: "swap", values: { line: "line two" } });
  expect(begun).toMatchObject({
    status: 201,
    body: {
      guide: "swap",
      user: "ann",
      at: "tell",
      says: ["Beginning: Swap the pump.", "Tell the crew of line two."],
    },
  });
  const run = `${path}/${String(begun.body.id)}`;
  const tell = (who: Who, event: object, claims: object = {}) =>
    sent(world, who, `${run}/events`, { event, ...claims });
  expect((await tell("ann", { type: "next" })).body).toMatchObject({ at: "p" });
  expect((await tell("ann", { type: "value", value: 3.5 })).body).toMatchObject({
    waits_for: "readback",
    says: ["3.5 bar: is that right?"],
  });
  expect((await tell("ann", { type: "yes" })).body).toMatchObject({
    at: "h",
    values: { line: "line two", p: 3.5 },
  });
  expect(await tell("bob", { type: "next" })).toMatchObject({ status: 404 });
  const claims = { network: "acme", username: "bob", groups: ["leads"] };
  expect(await tell("anybody", { type: "second" }, claims)).toMatchObject({ status: 403 });
  expect((await tell("ann", { type: "second" })).body).toMatchObject({ at: "h" });
  // Nothing is operated over HTTP: the step is not done, and the guide goes on as it says.
  expect((await tell("bob", { type: "second" })).body).toMatchObject({ at: "by-hand" });
  expect(await tell("ann", { type: "reading", fits: true })).toMatchObject({
    status: 400,
    body: { error: { field: "event.type" } },
  });
  expect((await tell("ann", { type: "next" })).body).toMatchObject({ says: ["Press the green button."] });
  expect((await tell("ann", { type: "next" })).body).toMatchObject({ at: "z", status: "done" });
  expect(await tell("ann", { type: "next" })).toMatchObject({ status: 409 });

  const metrics = await world.metrics();
  expect(metrics).toContain('readback_guide_runs_started_total{guide="swap"} 1');
  expect(metrics).toContain('readback_guide_runs_ended_total{guide="swap",how="done"} 1');
  expect(metrics).toContain('readback_guide_step_seconds_count{guide="swap"} 5');
  const rows = await ledgerOf(world, String(begun.body.id));
  expect(rows).toMatchObject([
    {
      ...{ type: "guide_run", network: "acme" },
      run: { guide: "swap", version: 1, user: "ann", status: "done", values: { line: "line two", p: 3.5 } },
    },
  ]);
  const { body } = await got(world, "ann", `${run}/record`);
  expect(rows[0]).toMatchObject({ run: { log: { length: (body as { entries: object[] }).entries.length } } });
  expect((body as { entries: { what: string; by: string }[] }).entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: "recorded", step: "p", text: "3.5", by: "ann" }),
      expect.objectContaining({ what: "seconded", step: "h", by: "bob" }),
      expect.objectContaining({ what: "not_operated", step: "o" }),
    ]),
  );
  expect((await got(world, "ann", `${run}/record?as=html`)).body).toContain(
    "<title>Record of Swap the pump</title>",
  );
  expect((await got(world, "bob", `${run}/record`)).status).toBe(404);
  expect((await got(world, "author", `${run}/record`)).status).toBe(200);
  const runsOf = async (who: Who, query: string) => (await got(world, who, `${path}?${query}`)) as never;
  expect(await runsOf("ann", "guide=swap")).toMatchObject({ body: { guide_runs: [{ status: "done" }] } });
  expect(await runsOf("bob", "")).toMatchObject({ body: { guide_runs: [] } });
  expect(await runsOf("bob", "all=true")).toMatchObject({ status: 403 });
  expect(await runsOf("author", "all=true")).toMatchObject({ body: { guide_runs: [{ user: "ann" }] } });
});

test("a run stays where it is when its disk is full, and goes on from there", async () => {
  const world = await service();
  const path = "/api/v1/guide_runs";
  const begun = await sent(world, "ann", path, { guide: "swap", values: { line: "line two" } });
  const next = () =>
    sent(world, "ann", `${path}/${String(begun.body.id)}/events`, { event: { type: "next" } });
  const disk = await Database.open(join(world.dataDir, "guide-runs.db"), LAYOUTS);
  onTestFinished(() => disk.close());
  const full = "BEFORE INSERT ON runs BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END";
  await disk.writeAll([{ sql: `CREATE TRIGGER full ${full}`, args: [] }]);
  expect(await next()).toMatchObject({
    status: 503,
    body: {
      error: { code: "assistant_unavailable", message: expect.stringMatching(/^Runs cannot be kept now/) },
    },
  });
  await disk.writeAll([{ sql: "DROP TRIGGER full", args: [] }]);
  expect(await next()).toMatchObject({ status: 200, body: { at: "p" } });
});

test("events that come at once pass no step that nobody has seen, and a user is in one run alone", async () => {
  const world = await service();
  const path = "/api/v1/guide_runs";
  const begin = () => sent(world, "ann", path, { guide: "swap", values: { line: "line two" } });
  const both = await Promise.all([begin(), begin()]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const { body } = both.find(({ status }) => status === 201)!;
  const tell = (more: object) =>
    sent(world, "ann", `${path}/${String(body.id)}/events`, { event: { type: "next" }, ...more });
  const all = await Promise.all([tell({}), tell({}), tell({}), tell({})]);
  expect(all.map((one) => one.body.at)).toEqual(["p", "p", "p", "p"]);
  const { body: record } = await got(world, "ann", `${path}/${String(body.id)}/record`);
  const done = (record as { entries: { what: string }[] }).entries.filter(({ what }) => what === "done");
  expect(done).toHaveLength(1);
  expect(await tell({ at: "tell" })).toMatchObject({
    status: 409,
    body: {
      error: { field: "at", message: expect.stringMatching(/^The run is at "p" by now\. Have it said/) },
    },
  });
  const value = { event: { type: "value", value: 3 }, at: "p" };
  expect((await tell(value)).body).toMatchObject({ waits_for: "readback" });
});

test("help is called over HTTP too, and a run is handed over to a colleague", async () => {
  const world = await service();
  const path = "/api/v1/guide_runs";
  const begun = await sent(world, "ann", path, { guide: "swap", values: { line: "line two" } });
  const tell = (who: Who, event: object) =>
    sent(world, who, `${path}/${String(begun.body.id)}/events`, { event });
  expect((await tell("ann", { type: "help" })).body).toMatchObject({
    at: "tell",
    says: ["Help is being called. Stay safe, and wait here.", expect.stringContaining("emergency number")],
  });
  expect((await tell("ann", { type: "note", text: "x".repeat(2_001) })).body).toMatchObject({
    error: { message: '"event.text": expected a text of 1 to 2000 characters.', field: "event.text" },
  });
  expect(await tell("ann", { type: "hand_over", to: "zoe" })).toMatchObject({
    status: 400,
    body: { error: { code: "bad_parameter", field: "event.to" } },
  });
  expect((await tell("ann", { type: "hand_over", to: "Bob" })).body).toMatchObject({
    user: "bob",
    says: ["The guide is handed over to bob."],
  });
  expect((await tell("ann", { type: "next" })).status).toBe(404);
  expect((await tell("bob", { type: "next" })).body).toMatchObject({ user: "bob", at: "tell" });
  expect((await tell("bob", { type: "next" })).body).toMatchObject({ user: "bob", at: "p" });
});

test("a run that cannot be begun says why", async () => {
  const world = await service();
  const begin = (body: object) => sent(world, "ann", "/api/v1/guide_runs", body);
  for (const guide of ["safe", "none"]) expect(await begin({ guide })).toMatchObject({ status: 404 });
  expect(await begin({ guide: "swap", values: { lin: "two" } })).toMatchObject({
    status: 400,
    body: { error: { code: "bad_parameter", field: "values.lin" } },
  });
  expect(await begin({ guide: "swap", values: { line: 2 } })).toMatchObject({ status: 400 });
  expect(await begin({})).toMatchObject({
    status: 400,
    body: { error: { code: "missing_parameter", field: "guide" } },
  });
  expect((await got(world, "ann", "/api/v1/guide_runs/none")).status).toBe(404);
});
