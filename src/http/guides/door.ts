/**
 * `/api/v1/guides` and `/api/v1/guide_runs`: guides are found, checked, brought in and written out, runs are begun and taken
 * on. Each request says for which person it speaks, and what that person may not use is answered as what there is not.
 */
import { z } from "zod";
import { assertRole, hasRole } from "../../api/api-keys.js";
import { type Identity, identityOf } from "../../api/claims.js";
import { parsed, whoFields } from "../../api/fields.js";
import { Rejection } from "../../api/rejection.js";
import { TurnFailure } from "../../domain/failure.js";
import type { Access } from "../../domain/user.js";
import type { Colleagues } from "../../guide/colleagues.js";
import { exportedGuide, GUIDE_FORMS } from "../../guide/exchange/forms.js";
import { importFlow, isFlow } from "../../guide/exchange/import-flow.js";
import { runHtml } from "../../guide/exchange/run-page.js";
import type { GuideLibrary } from "../../guide/library/library.js";
import { type GuideRunner, isOver, type Moved, type OpenRun, opened } from "../../guide/runner.js";
import type { Guide } from "../../guide/schema/guide.js";
import { guideFile, parseGuide } from "../../guide/schema/read-guide.js";
import { validateGuide } from "../../guide/validation/validate.js";
import { UsageProblem } from "../../lib/usage-problem.js";
import { StoreUnusable } from "../../store/dead-letters.js";
import type { GuideRuns } from "../../store/guide-runs.js";
import { plainError } from "../answers.js";
import { type ApiDeps, type ApiExchange, ApiRouter, type Operation } from "../exchange.js";
import { guideSummary, movedBody, recordBody, runSummary } from "./body.js";

/** What the door needs to know of guides. */
export interface GuidingDoor {
  readonly library: Pick<GuideLibrary, "list" | "mayUse" | "save" | "versions">;
  readonly runs: Pick<GuideRuns, "byId" | "list">;
  readonly runner: Pick<GuideRunner, "act" | "begin">;
  readonly colleagues: Pick<Colleagues, "handOver" | "helped">;
  /** What this person may know of, directories of groups asked. Rejects with `TurnFailure`. */
  access(identity: Identity, signal: AbortSignal): Promise<Access>;
}

export interface GuidesDoorDeps extends ApiDeps {
  readonly guiding: GuidingDoor;
}

/** Runs of one reply, the newest. */
const RUNS_MAX = 200;
/** Of a step's or a guide's id, of a note and of a value, in UTF-16 units. */
const ID_CHARS_MAX = 200;
const SAID_CHARS_MAX = 2_000;
/** A page holds what users said and may run nothing. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const idField = z.string({ error: "expected an id" }).min(1).max(ID_CHARS_MAX);
const saidField = z.string({ error: "expected a text" }).min(1).max(SAID_CHARS_MAX);
const valueField = z.union([saidField, z.number()], { error: "expected a text or a number" });
const versionField = z.coerce.number({ error: "expected a whole number from 1" }).int().min(1);

const one = whoFields.extend({ version: versionField.optional() });
const written = one.extend({
  as: z.enum(GUIDE_FORMS, { error: `expected one of ${GUIDE_FORMS.join(", ")}` }),
});
const sent = whoFields.extend({
  guide: z.record(z.string(), z.unknown(), { error: "expected a guide, or a flow, as an object" }),
});
const broughtIn = sent.extend({ replace: z.boolean({ error: "expected true or false" }).default(false) });
const listed = whoFields.extend({ guide: idField.optional(), all: z.enum(["true", "false"]).optional() });
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
const moving = whoFields.extend({ event });

export function guidesDoor(deps: GuidesDoorDeps) {
  const at = (operation: (exchange: ApiExchange, deps: GuidesDoorDeps) => Promise<void>): Operation => {
    return (exchange) => operation(exchange, deps).catch(refused);
  };
  return new ApiRouter(deps, "guides", plainError)
    .get("/api/v1/guides", at(list))
    .post("/api/v1/guides", at(bringIn))
    .post("/api/v1/guides/check", at(check))
    .get("/api/v1/guides/:id", at(show))
    .get("/api/v1/guides/:id/versions", at(versions))
    .get("/api/v1/guides/:id/export", at(writeOut))
    .get("/api/v1/guide_runs", at(listRuns))
    .post("/api/v1/guide_runs", at(begin))
    .get("/api/v1/guide_runs/:id", at(showRun))
    .post("/api/v1/guide_runs/:id/events", at(move))
    .get("/api/v1/guide_runs/:id/record", at(record))
    .routes();
}

function refused(error: unknown): never {
  if (error instanceof TurnFailure) throw new Rejection(error.code, error.message);
  if (error instanceof UsageProblem) throw new Rejection("bad_parameter", error.message, "guide");
  if (error instanceof StoreUnusable)
    throw new Rejection(
      "assistant_unavailable",
      "Runs cannot be kept now, so none moves. Try again in a moment.",
    );
  throw error;
}

function accessOf(
  { caller, signal }: ApiExchange,
  claims: z.output<typeof whoFields>,
  { guiding }: GuidesDoorDeps,
) {
  return guiding.access(identityOf(caller, claims), signal);
}

async function list(exchange: ApiExchange, deps: GuidesDoorDeps): Promise<void> {
  const access = await accessOf(exchange, parsed(whoFields, exchange.request.query), deps);
  const guides = await deps.guiding.library.list(access, exchange.signal);
  exchange.response.json({ guides: guides.map(guideSummary) });
}

/** What people may know of is the newest published version; authors know of all, the newest first. */
async function found(exchange: ApiExchange, deps: GuidesDoorDeps, id: string, asked: z.output<typeof one>) {
  const { caller, signal } = exchange;
  const { library } = deps.guiding;
  const access = await accessOf(exchange, asked, deps);
  const known = hasRole(caller, "author")
    ? await library.versions(access, signal, id)
    : (await library.list(access, signal)).filter((guide) => guide.id === id);
  const guide = known.find(({ version }) => asked.version === undefined || version === asked.version);
  if (guide === undefined) throw unknownGuide();
  return { guide, known };
}

function unknownGuide(): Rejection {
  return new Rejection("not_found", "There is no such guide that this person may use.");
}

async function show(exchange: ApiExchange, deps: GuidesDoorDeps): Promise<void> {
  const { guide } = await found(exchange, deps, idIn(exchange), parsed(one, exchange.request.query));
  exchange.response.json(guideFile(guide));
}

async function versions(exchange: ApiExchange, deps: GuidesDoorDeps): Promise<void> {
  const { known } = await found(exchange, deps, idIn(exchange), parsed(whoFields, exchange.request.query));
  exchange.response.json({ versions: known.map(guideSummary) });
}

async function writeOut(exchange: ApiExchange, deps: GuidesDoorDeps): Promise<void> {
  const { as, ...asked } = parsed(written, exchange.request.query);
  const { guide } = await found(exchange, deps, idIn(exchange), asked);
  const { text, type } = exportedGuide(guide, as);
  exchange.response.set("content-security-policy", PAGE_POLICY).type(type).send(text);
}

async function check(exchange: ApiExchange): Promise<void> {
  const { guide: file } = parsed(sent, exchange.body);
  const guide = isFlow(file) ? importFlow(file).guide : parseGuide(file);
  exchange.response.json({ guide: guide.id, steps: guide.steps.length, findings: validateGuide(guide) });
}

/** What comes from outside is a draft of whoever brings it in; a published version is never written over. */
async function bringIn(exchange: ApiExchange, deps: GuidesDoorDeps): Promise<void> {
  assertRole(exchange.caller, "author");
  const { library } = deps.guiding;
  const { guide: file, replace, ...claims } = parsed(broughtIn, exchange.body);
  const access = await accessOf(exchange, claims, deps);
  const known = await library.versions(access, exchange.signal);
  const inUse = {
    tags: known.flatMap(({ tags }) => tags),
    categories: known.flatMap((one) => one.categories),
  };
  const owner = access.username;
  const read = isFlow(file) ? importFlow(file, { owner, known: inUse }).guide : parseGuide(file);
  const guide: Guide = {
    ...read,
    status: "draft",
    owner,
    visibility: "restricted",
    users: [owner],
    groups: [],
  };
  if (!(await library.mayUse(guide, access, exchange.signal)))
    throw new Rejection("forbidden", "The guide names documents that this person may not read.");
  const mayReplace = (before: Guide) => replace && before.status === "draft" && before.owner === owner;
  if (!(await library.save(access.network, guide, mayReplace)))
    throw new Rejection(
      "conflict",
      "There is such a guide already: give this one another id or a higher version.",
      "guide",
    );
  exchange.response
    .status(201)
    .location(`/api/v1/guides/${guide.id}`)
    .json({ ...guideSummary(guide), findings: validateGuide(guide) });
}

async function listRuns(exchange: ApiExchange, deps: GuidesDoorDeps): Promise<void> {
  const { all, guide, ...claims } = parsed(listed, exchange.request.query);
  if (all === "true") assertRole(exchange.caller, "author");
  const access = await accessOf(exchange, claims, deps);
  const { network, username } = access;
  const user = all === "true" ? undefined : username;
  const stored = await deps.guiding.runs.list({ network, user, guide, limit: RUNS_MAX });
  const runs: OpenRun[] = [];
  for (const run of stored.map(opened)) if (await mayUse(run, access, exchange, deps)) runs.push(run);
  exchange.response.json({ guide_runs: runs.map(runSummary) });
}

async function begin(exchange: ApiExchange, deps: GuidesDoorDeps): Promise<void> {
  const { guide: id, values, ...claims } = parsed(begun, exchange.body);
  const access = await accessOf(exchange, claims, deps);
  const guide = (await deps.guiding.library.list(access, exchange.signal)).find((known) => known.id === id);
  if (guide === undefined) throw unknownGuide();
  for (const [name, value] of Object.entries(values)) {
    const field = guide.intake.find((one) => one.name === name);
    const wanted = field && (field.type === "number" ? "number" : "string");
    if (typeof value === wanted) continue;
    const why = wanted === undefined ? "is no field of this guide's form" : `has to be a ${wanted}`;
    throw new Rejection("bad_parameter", `"values.${name}" ${why}.`, `values.${name}`);
  }
  const first = await deps.guiding.runner.begin(guide, access, exchange.signal, values);
  const told = await notOperated(first, access, exchange, deps);
  exchange.response.status(201).location(`/api/v1/guide_runs/${told.open.id}`).json(movedBody(told));
}

async function mayUse(
  { index }: OpenRun,
  access: Access,
  { signal }: ApiExchange,
  { guiding }: GuidesDoorDeps,
) {
  return guiding.library.mayUse(index.guide, access, signal);
}

/** The run of the path: one's own, a colleague's for who confirms it, anybody's for authors. */
async function foundRun(
  exchange: ApiExchange,
  deps: GuidesDoorDeps,
  claims: z.output<typeof whoFields>,
  ofOthers: boolean,
) {
  const access = await accessOf(exchange, claims, deps);
  const stored = await deps.guiding.runs.byId(access.network, idIn(exchange));
  const open = stored && opened(stored);
  const isTheirs = open?.run.user === access.username || ofOthers || hasRole(exchange.caller, "author");
  if (open === undefined || !isTheirs || !(await mayUse(open, access, exchange, deps)))
    throw new Rejection("not_found", "There is no such run that this person may know of.");
  return { access, open };
}

async function showRun(exchange: ApiExchange, deps: GuidesDoorDeps): Promise<void> {
  const { open } = await foundRun(exchange, deps, parsed(whoFields, exchange.request.query), false);
  exchange.response.json(runSummary(open));
}

async function record(exchange: ApiExchange, deps: GuidesDoorDeps): Promise<void> {
  const { as, ...claims } = parsed(page, exchange.request.query);
  const { open } = await foundRun(exchange, deps, claims, false);
  if (as === "json") exchange.response.json(recordBody(open));
  else {
    const html = runHtml(open.index.guide, open.run, [["Run", open.id]]);
    exchange.response.set("content-security-policy", PAGE_POLICY).type("html").send(html);
  }
}

async function move(exchange: ApiExchange, deps: GuidesDoorDeps): Promise<void> {
  const { event: said, ...claims } = parsed(moving, exchange.body);
  const isSecond = said.type === "second";
  // Who holds an unbound key could be both of the two people.
  if (isSecond && exchange.caller.username === undefined)
    throw new Rejection(
      "forbidden",
      "A second person confirms with a key of their own: bind this key to a `username`.",
    );
  const { access, open } = await foundRun(exchange, deps, claims, isSecond);
  if (isOver(open.run)) throw new Rejection("conflict", "This run is over.");
  if (!isSecond && open.run.user !== access.username)
    throw new Rejection("forbidden", "Only the person who works may move this run on.");
  const next = await actedOn(open, said, access, exchange, deps);
  const moved = await notOperated(next, access, exchange, deps);
  const parts = await deps.guiding.colleagues.helped(moved, exchange.signal);
  exchange.response.json(movedBody({ ...moved, parts }));
}

async function actedOn(
  open: OpenRun,
  said: z.output<typeof event>,
  access: Access,
  { signal }: ApiExchange,
  { guiding }: GuidesDoorDeps,
): Promise<Moved> {
  if (said.type !== "hand_over") {
    const action = said.type === "second" ? { ...said, groups: access.groups } : said;
    return guiding.runner.act(open, action, access, signal);
  }
  const moved = await guiding.colleagues.handOver(open, said.to, access, signal);
  if (moved !== undefined) return moved;
  const why = "Nobody of this name may use the guide and is in none.";
  throw new Rejection("bad_parameter", why, "event.to");
}

/** Operations are proposed where their consent is asked for, by voice: over HTTP a step that wants one is not done. */
async function notOperated(
  first: Moved,
  access: Access,
  { signal }: ApiExchange,
  { guiding }: GuidesDoorDeps,
): Promise<Moved> {
  if (!first.effects.some(({ type }) => type === "operate")) return first;
  const then = await guiding.runner.act(first.open, { type: "operated", outcome: "refused" }, access, signal);
  return { ...then, parts: [...first.parts, ...then.parts] };
}

function idIn({ request }: ApiExchange): string {
  return parsed(idField, request.params.id);
}
