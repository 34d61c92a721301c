/**
 * `/api/v1/guides` and `/api/v1/guide_runs`: guides are found, checked, brought in and written out, runs are begun and taken
 * on. Each request says for which person it speaks, and what that person may not use is answered as what there is not.
 */
import { z } from "zod";
import { assertRole, hasRole } from "../../api/api-keys.js";
import { type Identity, identityOf } from "../../api/claims.js";
import { parsed, whoFields } from "../../api/fields.js";
import { Rejection } from "../../api/rejection.js";
import type { Access } from "../../domain/user.js";
import type { Colleagues } from "../../guide/colleagues.js";
import { guideOrFlow } from "../../guide/exchange/import-flow.js";
import { runHtml } from "../../guide/exchange/run-page.js";
import { exportedGuide, GUIDE_FORMS } from "../../guide/exchange/written-out.js";
import type { GuideLibrary } from "../../guide/library/library.js";
import { nameOf } from "../../guide/run/places.js";
import { type GuideRunner, type Moved, type OpenRun, opened, unproposed } from "../../guide/runner.js";
import type { Guide } from "../../guide/schema/guide.js";
import { fileValue, guideFile } from "../../guide/schema/read-guide.js";
import { validateGuide } from "../../guide/validation/validate.js";
import { UsageProblem } from "../../lib/usage-problem.js";
import { StoreUnusable } from "../../store/dead-letters.js";
import { type GuideRuns, isOver } from "../../store/guide-runs.js";
import { plainError } from "../answers.js";
import { type ApiDeps, type ApiExchange, ApiRouter, type Operation } from "../exchange.js";

/** What the door needs to know of guides. */
export interface GuidingDoor {
  readonly library: Pick<GuideLibrary, "list" | "mayUse" | "save" | "versions">;
  readonly runs: Pick<GuideRuns, "byId" | "list">;
  readonly runner: Pick<GuideRunner, "act" | "begin" | "heard">;
  readonly colleagues: Pick<Colleagues, "act">;
  /** What this person may know of, directories of groups asked. Rejects with `TurnFailure`. */
  access(identity: Identity, signal: AbortSignal): Promise<Access>;
}

/** Runs of one reply, the newest. */
const RUNS_MAX = 200;
/** Of a step's or a guide's id, of a note and of a value, in UTF-16 units. */
const ID_CHARS_MAX = 200;
const SAID_CHARS_MAX = 2_000;
/** A page holds what users said and may run nothing. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const idField = z.string({ error: "expected an id" }).min(1).max(ID_CHARS_MAX);
const saidField = z
  .string({ error: `expected a text of 1 to ${SAID_CHARS_MAX} characters` })
  .min(1)
  .max(SAID_CHARS_MAX);
const valueField = z.union([saidField, z.number()], {
  error: `expected a number, or a text of 1 to ${SAID_CHARS_MAX} characters`,
});
const versionField = z.coerce.number({ error: "expected a whole number from 1" }).int().min(1);

const one = whoFields.extend({ version: versionField.optional() });
const written = one.extend({
  as: z.enum(GUIDE_FORMS, { error: `expected one of ${GUIDE_FORMS.join(", ")}` }),
});
const sent = whoFields.extend({
  guide: z.union([z.record(z.string(), z.unknown()), z.string()], {
    error: "expected a guide, or a flow, as an object, or the text of its file",
  }),
  file: z.string({ error: "expected the name of the file" }).max(ID_CHARS_MAX).default("guide.json"),
});
const broughtIn = sent.extend({ replace: z.boolean({ error: "expected true or false" }).default(false) });
const listed = whoFields.extend({
  guide: idField.optional(),
  all: z.enum(["true", "false"], { error: "expected true or false" }).optional(),
});
const begun = whoFields.extend({
  guide: idField,
  values: z.record(z.string().max(ID_CHARS_MAX), valueField).default({}),
});
const page = whoFields.extend({
  as: z.enum(["json", "html"], { error: "expected json or html" }).default("json"),
});

const PLAIN_EVENTS = [
  ...(["next", "back", "repeat", "slower", "values", "where", "left", "why", "options", "yes"] as const),
  ...(["no", "failed", "pause", "resume", "quit", "commands", "help"] as const),
];
const left = z.enum(["skipped", "does_not_apply"], { error: "expected skipped or does_not_apply" });
/** What people do; what a site reads, and what came of an operation, comes from the site alone. */
const event = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.enum(PLAIN_EVENTS) }),
    z.strictObject({ type: z.literal("answer"), option: idField }),
    z.strictObject({ type: z.literal("value"), value: valueField }),
    z.strictObject({ type: z.literal("note"), text: saidField }),
    z.strictObject({ type: z.literal("leave_out"), left, reason: saidField }),
    z.strictObject({ type: z.literal("jump"), step: idField }),
    z.strictObject({ type: z.literal("hand_over"), to: idField }),
    z.strictObject({ type: z.literal("second") }),
  ],
  {
    error: `expected the type of an event: ${PLAIN_EVENTS.join(", ")}, answer, value, note, leave_out, jump, hand_over, second`,
  },
);
const moving = whoFields.extend({ event, at: idField.optional() });

/** A request that was read, and what the person that it speaks for may know of. */
interface Asked<S extends z.ZodType> extends ApiExchange {
  readonly fields: z.output<S>;
  readonly access: Access;
  readonly guiding: GuidingDoor;
  /** When it came, in Unix milliseconds. */
  readonly atMs: number;
}

export function guidesDoor(deps: ApiDeps & { readonly guiding: GuidingDoor }) {
  const { guiding } = deps;
  const at = <S extends z.ZodType<z.output<typeof whoFields>>>(
    schema: S,
    operation: (asked: Asked<S>) => Promise<void>,
  ): Operation => {
    const read = async (exchange: ApiExchange) => {
      const { body, caller, request, signal } = exchange;
      const atMs = deps.clock.now();
      const fields = parsed(schema, request.method === "POST" ? body : request.query);
      const access = await guiding.access(identityOf(caller, fields), signal);
      await operation({ ...exchange, fields, access, guiding, atMs });
    };
    return (exchange) => read(exchange).catch(refused);
  };
  return new ApiRouter(deps, "guides", plainError)
    .get("/api/v1/guides", at(whoFields, list))
    .post("/api/v1/guides", at(broughtIn, bringIn))
    .post("/api/v1/guides/check", (exchange) => check(exchange).catch(refused))
    .get("/api/v1/guides/:id", at(one, show))
    .get("/api/v1/guides/:id/versions", at(whoFields, versions))
    .get("/api/v1/guides/:id/export", at(written, writeOut))
    .get("/api/v1/guide_runs", at(listed, listRuns))
    .post("/api/v1/guide_runs", at(begun, begin))
    .get("/api/v1/guide_runs/:id", at(whoFields, showRun))
    .post("/api/v1/guide_runs/:id/events", at(moving, move))
    .get("/api/v1/guide_runs/:id/record", at(page, record))
    .routes();
}

function refused(error: unknown): never {
  if (error instanceof UsageProblem) throw new Rejection("bad_parameter", error.message, "guide");
  if (error instanceof StoreUnusable)
    throw new Rejection(
      "assistant_unavailable",
      "Runs cannot be kept now, so none moves. Try again in a moment.",
    );
  throw error;
}

async function list({ access, guiding, response, signal }: Asked<typeof whoFields>): Promise<void> {
  response.json({ guides: (await guiding.library.list(access, signal)).map(guideSummary) });
}

/** What people may know of is the newest published version; authors know of all, the newest first. */
async function known({ access, caller, guiding, request, signal }: Asked<typeof whoFields>) {
  const id = parsed(idField, request.params.id);
  const some = hasRole(caller, "author")
    ? await guiding.library.versions(access, signal, id)
    : (await guiding.library.list(access, signal)).filter((guide) => guide.id === id);
  if (some.length === 0) throw unknownGuide();
  return some;
}

async function found(asked: Asked<typeof one>): Promise<Guide> {
  const wanted = asked.fields.version;
  const guide = (await known(asked)).find(({ version }) => version === (wanted ?? version));
  if (guide === undefined) throw unknownGuide();
  return guide;
}

function unknownGuide(): Rejection {
  return new Rejection("not_found", "There is no such guide that this person may use.");
}

async function show(asked: Asked<typeof one>): Promise<void> {
  asked.response.json(guideFile(await found(asked)));
}

async function versions(asked: Asked<typeof whoFields>): Promise<void> {
  asked.response.json({ versions: (await known(asked)).map(guideSummary) });
}

async function writeOut(asked: Asked<typeof written>): Promise<void> {
  const { text, type } = exportedGuide(await found(asked), asked.fields.as);
  asked.response.set("content-security-policy", PAGE_POLICY).type(type).send(text);
}

async function check(exchange: ApiExchange): Promise<void> {
  const guide = guideOrFlow(fileOf(parsed(sent, exchange.body)));
  const findings = validateGuide(guide);
  exchange.response.json({ guide: guide.id, steps: guide.steps.length, findings, file: guideFile(guide) });
}

/** YAML by the name of its file. Throws `GuideProblem`. */
function fileOf({ file, guide }: z.output<typeof sent>): unknown {
  return typeof guide === "string" ? fileValue(guide, file) : guide;
}

/** What comes from outside is a draft of whoever brings it in; a published version is never written over. */
async function bringIn(asked: Asked<typeof broughtIn>): Promise<void> {
  const { access, caller, fields, guiding, response, signal } = asked;
  assertRole(caller, "author");
  const { library } = guiding;
  const inUse = await library.versions(access, signal);
  const tags = inUse.flatMap((one) => one.tags);
  const categories = inUse.flatMap((one) => one.categories);
  const owner = access.username;
  const guide = guideOrFlow(fileOf(fields), { owner, known: { tags, categories } });
  if (!(await library.mayUse(guide, access, signal)))
    throw new Rejection("forbidden", "The guide names documents that this person may not read.");
  const mayReplace = (one: Guide) => fields.replace && one.status === "draft" && one.owner === owner;
  const why = "There is such a guide already: give this one another id or a higher version.";
  if (!(await library.save(access.network, guide, mayReplace))) throw new Rejection("conflict", why, "guide");
  const body = { ...guideSummary(guide), findings: validateGuide(guide) };
  response.status(201).location(`/api/v1/guides/${guide.id}`).json(body);
}

async function listRuns(asked: Asked<typeof listed>): Promise<void> {
  const { access, caller, fields, guiding, response, signal } = asked;
  const isOfAll = fields.all === "true";
  if (isOfAll) assertRole(caller, "author");
  const { network, username } = access;
  const user = isOfAll ? undefined : username;
  const stored = await guiding.runs.list({ network, user, guide: fields.guide, limit: RUNS_MAX });
  const runs: OpenRun[] = [];
  for (const run of stored.map(opened))
    if (await guiding.library.mayUse(run.index.guide, access, signal)) runs.push(run);
  response.json({ guide_runs: runs.map(runSummary) });
}

async function begin(asked: Asked<typeof begun>): Promise<void> {
  const { access, fields, guiding, response, signal } = asked;
  const guide = (await guiding.library.list(access, signal)).find(({ id }) => id === fields.guide);
  if (guide === undefined) throw unknownGuide();
  for (const [name, value] of Object.entries(fields.values)) {
    const field = guide.intake.find((one) => one.name === name);
    const wanted = field && (field.type === "number" ? "number" : "string");
    if (typeof value === wanted) continue;
    const why = wanted === undefined ? "is no field of this guide's form" : `has to be a ${wanted}`;
    throw new Rejection("bad_parameter", `"values.${name}" ${why}.`, `values.${name}`);
  }
  const first = await guiding.runner.begin(guide, access, signal, fields.values);
  const busy = "This person is in a guide already: go on with that run, or end it first.";
  if (first === undefined) throw new Rejection("conflict", busy, "guide");
  const told = await notOperated(first, asked);
  response.status(201).location(`/api/v1/guide_runs/${told.open.id}`);
  sendMoved(told, asked);
}

/** The run of the path: one's own, a colleague's for who confirms it, anybody's for authors. */
async function foundRun(
  { access, caller, guiding, request, signal }: Asked<typeof whoFields>,
  ofOthers = false,
): Promise<OpenRun> {
  const stored = await guiding.runs.byId(access.network, parsed(idField, request.params.id));
  const open = stored && opened(stored);
  const isTheirs = open?.run.user === access.username || ofOthers || hasRole(caller, "author");
  if (open === undefined || !isTheirs || !(await guiding.library.mayUse(open.index.guide, access, signal)))
    throw new Rejection("not_found", "There is no such run that this person may know of.");
  return open;
}

async function showRun(asked: Asked<typeof whoFields>): Promise<void> {
  asked.response.json(runSummary(await foundRun(asked)));
}

async function record(asked: Asked<typeof page>): Promise<void> {
  const { fields, response } = asked;
  const open = await foundRun(asked);
  if (fields.as === "json") response.json(recordBody(open));
  else {
    const html = runHtml(open.index.guide, open.run, [["Run", open.id]]);
    response.set("content-security-policy", PAGE_POLICY).type("html").send(html);
  }
}

async function move(asked: Asked<typeof moving>): Promise<void> {
  const { access, atMs: saidMs, caller, guiding, signal } = asked;
  const { at, event } = asked.fields;
  const isSecond = event.type === "second";
  // Who holds an unbound key could be both of the two people.
  if (isSecond && caller.username === undefined)
    throw new Rejection(
      "forbidden",
      "A second person confirms with a key of their own: bind this key to a `username`.",
    );
  const open = await foundRun(asked, isSecond);
  if (isOver(open.run)) throw new Rejection("conflict", "This run is over.");
  if (!isSecond && open.run.user !== access.username)
    throw new Rejection("forbidden", "Only the person who works may move this run on.");
  const now = nameOf(open.run.place);
  const stale = `The run is at "${now}" by now. Have it said by the event repeat, and send what is to be done there.`;
  if (at !== undefined && at !== now) throw new Rejection("conflict", stale, "at");
  const action = event.type === "second" ? { ...event, groups: access.groups } : event;
  const moved = await guiding.colleagues.act(open, { ...action, saidMs }, access, signal);
  const why = "Nobody of this name may use the guide and is in none.";
  if (moved === undefined) throw new Rejection("bad_parameter", why, "event.to");
  sendMoved(await notOperated(moved, asked), asked);
}

/** Operations are proposed where their consent is asked for, by voice: over HTTP a step that wants one is not done. */
async function notOperated(
  first: Moved,
  { access, guiding, signal }: Pick<Asked<typeof whoFields>, "access" | "guiding" | "signal">,
): Promise<Moved> {
  if (unproposed(first.open) === undefined) return first;
  const then = await guiding.runner.act(first.open, { type: "operated", outcome: "refused" }, access, signal);
  return { ...then, parts: [...first.parts, ...then.parts] };
}

function guideSummary({ description, flowType, id, language, name, owner, steps, ...rest }: Guide) {
  const { categories, origin, status, tags, version } = rest;
  const summary = { id, name, description, flow_type: flowType, status, version, language, owner };
  return { ...summary, tags, categories, steps: steps.length, origin: origin?.format };
}

function runSummary({ id, index, run, startedAtMs }: OpenRun) {
  const { asks, place, status, user, values, version } = run;
  return {
    ...{ id, guide: index.guide.id, name: index.guide.name, version, user, status },
    started_at: new Date(startedAtMs).toISOString(),
    ...{ at: nameOf(place), waits_for: asks?.type, values },
  };
}

/** The run, and what is to be said now, in the guide's language: heard once who works has it. */
function sendMoved(
  moved: Moved,
  { access, guiding, response }: Pick<Asked<typeof whoFields>, "access" | "guiding" | "response">,
): void {
  const { open, parts } = moved;
  if (open.run.user === access.username) response.once("finish", () => guiding.runner.heard(moved));
  response.json({ ...runSummary(open), says: parts.map(({ text }) => text) });
}

/** Every entry of a run's record, as it was written down. */
function recordBody(open: OpenRun) {
  const entries = open.run.log.map(({ at, atMs, by, text, what }) => {
    return { at: new Date(atMs).toISOString(), by, what, step: at, text };
  });
  return { ...runSummary(open), entries };
}
