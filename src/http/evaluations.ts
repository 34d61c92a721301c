/**
 * `/api/v1/evaluations`: runs are started with a data set, by upload or by name, and looked at while they go on. Who may
 * ask is decided before this router.
 */
import express, { type ErrorRequestHandler, type Request, type RequestHandler, Router } from "express";
import { z } from "zod";
import { Rejection } from "../api/rejection.js";
import type { DataSet } from "../evaluation/data-set.js";
import { type DataSets, UnknownDataSet } from "../evaluation/data-sets.js";
import { type Evaluations, RunProblem, type RunRequest } from "../evaluation/evaluations.js";
import { FilterProblem } from "../evaluation/filter.js";
import {
  DataSetProblem,
  type RowProblem,
  readJsonDataSet,
  readJsonLines,
} from "../evaluation/read-data-set.js";
import { reportHtml } from "../evaluation/report/html.js";
import { reportJson, resultJson, rowJson, runJson } from "../evaluation/report-json.js";
import { isFinal, type Run } from "../evaluation/run.js";
import { EvaluationsBusy, type RunQueue } from "../evaluation/run-queue.js";
import { METRICS } from "../evaluation/score.js";
import { fieldName, pathOf } from "../lib/field-name.js";
import { STATUS } from "./exchange.js";
import { jsonBody } from "./json-body.js";

export interface EvaluationRoutesDeps {
  readonly evaluations: Evaluations;
  readonly queue: RunQueue;
  readonly dataSets: DataSets;
  readonly limits: { readonly rowsMax: number; readonly uploadBytesMax: number };
}

const PAGE_ROWS_MAX = 200;
const PAGE_ROWS = 50;

const JSON_TYPES = ["application/json"];
const NDJSON = ["application/x-ndjson", "application/jsonl", "application/jsonlines"];

/** Leaves bodies of other types to others. */
function only(types: string[], read: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (request.is(types)) return read(request, response, next);
    next();
  };
}

/** Something of a request that cannot be used. */
class RequestProblem extends Error {
  override readonly name = "RequestProblem";
  constructor(readonly problems: readonly { readonly field: string; readonly message: string }[]) {
    super("the request cannot be used");
  }
}

/** The routes, to be mounted at the root. */
export function evaluationRoutes(deps: EvaluationRoutesDeps): Router {
  const { evaluations, limits } = deps;
  const router = Router();
  const limit = limits.uploadBytesMax;
  const bodies = [only(JSON_TYPES, jsonBody(limit)), express.text({ type: NDJSON, limit })];
  router.post("/api/v1/evaluations", ...bodies, async (request, response) => {
    const run = await deps.queue.start(await runRequest(request, deps));
    response.status(202).location(`/api/v1/evaluations/${run.id}`).json(runJson(run));
  });
  router.get("/api/v1/evaluations", async (request, response) => {
    const { limit: count, offset } = checked(pageSchema, request.query);
    const runs = await evaluations.runs(count, offset);
    response.json({ evaluations: runs.map(runJson), datasets: await deps.dataSets.names() });
  });
  const one = "/api/v1/evaluations/:id";
  router.get(one, async (request, response) => {
    const run = await found(evaluations, request);
    const result = isFinal(run.status) ? resultJson((await evaluations.report(run)).summary) : null;
    response.json({ ...runJson(run), result });
  });
  router.get(`${one}/rows`, async (request, response) => {
    const run = await found(evaluations, request);
    const { limit: count, offset, status } = checked(rowsPageSchema, request.query);
    const rows = await evaluations.rows(run, {
      from: offset,
      limit: count,
      ...(status !== undefined && { statuses: [status] }),
    });
    const last = rows.at(-1);
    const next = rows.length === count && last !== undefined ? last.position + 1 : null;
    response.json({ rows: rows.map(rowJson), next_offset: next });
  });
  router.get(`${one}/report`, async (request, response) => {
    const html = reportHtml(await evaluations.report(await found(evaluations, request)));
    response.set("content-security-policy", REPORT_POLICY).type("html").send(html);
  });
  router.get(`${one}/report.json`, async (request, response) => {
    response.json(reportJson(await evaluations.report(await found(evaluations, request))));
  });
  router.get(`${one}/junit.xml`, async (request, response) => {
    const { min_score } = checked(junitSchema, request.query);
    const report = await evaluations.report(await found(evaluations, request));
    const { junitXml } = await import("../evaluation/junit.js");
    response.type("application/xml").send(junitXml(report, min_score));
  });
  router.delete(one, remove(deps));
  router.use("/api/v1/evaluations", problems);
  return router;
}

/** The report holds what users asked and documents say: nothing in it may run. */
const REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** A run under way is cancelled and kept; one that is over is forgotten. */
function remove({ evaluations, queue }: EvaluationRoutesDeps): RequestHandler {
  return async (request, response) => {
    const run = await found(evaluations, request);
    if (isFinal(run.status)) {
      await evaluations.remove(run.id);
      response.status(204).end();
      return;
    }
    await queue.cancel(run.id);
    response.json(runJson((await evaluations.run(run.id)) ?? run));
  };
}

const name = z.string().min(1).max(256);
const metrics = z.array(z.enum(METRICS)).min(1);
const positive = z.int().min(1);

const bodySchema = z.strictObject({
  dataset: z.union([name, z.array(z.unknown())], { error: "give rows as a list, or the name of a data set" }),
  name: name.optional(),
  network: name.optional(),
  metrics: metrics.optional(),
  category: z.union([name.transform((one) => [one]), z.array(name).min(1)]).optional(),
  ids: z.array(name).min(1).optional(),
  limit: positive.optional(),
});

const commas = z.string().transform((text) => text.split(",").map((part) => part.trim()));
const digits = z
  .string()
  .regex(/^\d{1,9}$/, "expected a whole number")
  .transform(Number);

/** The same beside an upload of JSON lines, in the query; lists have commas between their items. */
const querySchema = z.strictObject({
  name: name.optional(),
  network: name.optional(),
  metrics: commas.pipe(metrics).optional(),
  category: commas.pipe(z.array(name).min(1)).optional(),
  ids: commas.pipe(z.array(name).min(1)).optional(),
  limit: digits.pipe(positive).optional(),
});

const page = {
  limit: digits.pipe(positive.max(PAGE_ROWS_MAX)).default(PAGE_ROWS),
  offset: digits.default(0),
};
const pageSchema = z.strictObject(page);
const rowsPageSchema = z.strictObject({
  ...page,
  status: z.enum(["pending", "answered", "done", "failed"]).optional(),
});
const junitSchema = z.strictObject({ min_score: z.coerce.number().min(0).max(1).optional() });

async function runRequest(request: Request, { dataSets, limits }: EvaluationRoutesDeps): Promise<RunRequest> {
  const body: unknown = request.body;
  if (typeof body === "string" && request.is(NDJSON)) {
    const dataSet = readJsonLines(body, limits);
    return requestOf(checked(querySchema, request.query), dataSet, dataSet.name ?? "upload");
  }
  if (body === undefined)
    throw problem("", `send a data set as application/json or as ${NDJSON[0]}, or {"dataset": "its name"}`);
  checked(z.strictObject({}), request.query);
  const asked = checked(bodySchema, body);
  if (typeof asked.dataset !== "string") {
    const dataSet = readJsonDataSet(asked.dataset, limits);
    return requestOf(asked, dataSet, dataSet.name ?? "upload");
  }
  return requestOf(asked, await dataSets.open(asked.dataset), asked.dataset);
}

function requestOf(
  asked: Omit<z.infer<typeof bodySchema>, "dataset">,
  dataSet: DataSet,
  fallbackName: string,
): RunRequest {
  const { network, metrics: names, category, ids, limit } = asked;
  return {
    dataSet,
    name: asked.name ?? fallbackName,
    ...(network !== undefined && { network }),
    ...(names && { metrics: names }),
    ...(category && { categories: category }),
    ...(ids && { ids }),
    ...(limit !== undefined && { limit }),
  };
}

async function found(evaluations: Evaluations, request: Request): Promise<Run> {
  const { id } = request.params;
  const run = typeof id === "string" ? await evaluations.run(id) : undefined;
  if (run === undefined) throw new UnknownRun(`there is no evaluation "${String(id)}"`);
  return run;
}

class UnknownRun extends Error {
  override readonly name = "UnknownRun";
}

/** Throws `RequestProblem`, naming every field. */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RequestProblem(
    parsed.error.issues.map((issue) => ({ field: fieldName(pathOf(issue)), message: issue.message })),
  );
}

function problem(field: string, message: string): RequestProblem {
  return new RequestProblem([{ field, message }]);
}

/** What was asked for wrongly, as JSON; all else is ours and goes on. */
const problems: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const answer = problemAnswer(error);
  if (answer === undefined || response.headersSent) next(error);
  else response.status(answer.status).json(answer.body);
};

function problemAnswer(error: unknown): { readonly status: number; readonly body: object } | undefined {
  if (error instanceof RequestProblem) return bad(error.problems);
  if (error instanceof DataSetProblem)
    return bad(error.problems.map((one) => ({ ...one, message: withPlace(one) })));
  if (error instanceof RunProblem || error instanceof FilterProblem)
    return bad([{ field: error.field, message: error.message }]);
  if (error instanceof UnknownDataSet) {
    const { message, names } = error;
    return {
      status: 404,
      body: { error: { code: "not_found", message, field: "dataset" }, datasets: names },
    };
  }
  if (error instanceof UnknownRun) return answer(404, "not_found", error.message);
  if (error instanceof EvaluationsBusy) return answer(429, "rate_limited", error.message);
  if (error instanceof Rejection) return answer(STATUS[error.code], error.code, error.message);
  const { type, message } = error as { readonly type?: unknown; readonly message?: unknown };
  if (type === "entity.too.large") return answer(413, "payload_too_large", String(message));
  return undefined;
}

function withPlace({ place, message }: RowProblem): string {
  return place === "" ? message : `${place}: ${message}`;
}

/** The first problem as the API's error, and all of them. */
function bad(problems: readonly { readonly field: string; readonly message: string }[]) {
  const { field = "", message = "the request cannot be used" } = problems[0] ?? {};
  return { status: 400, body: { error: { code: "bad_parameter", message, field }, problems } };
}

function answer(status: number, code: string, message: string) {
  return { status, body: { error: { code, message } } };
}
