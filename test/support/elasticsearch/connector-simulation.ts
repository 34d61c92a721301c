/**
 * Elastic's connector service with an S3 connector, simulated: it validates drafts of filtering rules, takes up sync
 * jobs and carries them out against a bucket in memory. Steps are taken by the test, or by themselves on a timer.
 * What it does to the index is what the real one does, the unwelcome parts included: it deletes what the rules no
 * longer let in, leaves the text of big objects out, and knows nothing of permissions.
 */

import { createHash } from "node:crypto";
import { type Clock, every, type Timer } from "../../../src/lib/clock.js";
import { pattern } from "../../../src/lib/pattern.js";
import type { Cluster } from "./cluster.js";
import type { SyncJob } from "./connectors.js";
import type { JsonObject } from "./json.js";
import { isLetIn, problemsOf } from "./sync-rules.js";

/** Names with other endings come without their text, since it cannot be extracted. */
const EXTRACTED = pattern()`
  \.(?:txt|py|rst|html|markdown|json|xml|csv|md|ppt|rtf|docx|odt|xls|xlsx|rb|paper|sh|pptx
  |pdf|doc|aspx|xlsb|xlsm|tsv|svg|msg|potx|vsd|vsdx|vsdm)$
`;

/** Objects above this come without their text, in bytes. */
export const CONTENT_BYTES_MAX = 10_485_760;

interface BucketObject {
  readonly text: string;
  readonly modifiedAtMs: number;
}

/** Objects by their keys, as an S3 bucket has them. */
export class SimulatedBucket {
  readonly #objects = new Map<string, BucketObject>();
  #writes = 0;

  constructor(
    readonly name: string,
    readonly clock: Clock,
  ) {}

  put(key: string, text: string): void {
    // Two versions of an object never have the same time, however fast a test writes them.
    this.#writes += 1;
    this.#objects.set(key, { text, modifiedAtMs: this.clock.now() + this.#writes });
  }

  remove(key: string): void {
    this.#objects.delete(key);
  }

  get objects(): ReadonlyMap<string, BucketObject> {
    return this.#objects;
  }
}

/** How a job ends that a test wants to fail: the documents that it still writes, and what it says. */
export interface JobFailure {
  readonly afterDocuments: number;
  readonly error: string;
}

/** What a step did. */
export type Step =
  | { readonly kind: "validated"; readonly connectorId: string }
  | { readonly kind: "canceled" | "started" | "completed" | "failed" | "suspended"; readonly jobId: string }
  | { readonly kind: "idle" };

export class ConnectorSimulation {
  readonly #cluster: Cluster;
  readonly #bucket: SimulatedBucket;
  #failures: JobFailure[] = [];
  #isSuspending = false;
  #timer: Timer | undefined;

  constructor(cluster: Cluster, bucket: SimulatedBucket) {
    this.#cluster = cluster;
    this.#bucket = bucket;
  }

  /** The next job that is carried out ends with this error. */
  failNextJob(failure: JobFailure): void {
    this.#failures.push(failure);
  }

  /** The next step suspends the job in progress, as a service does that is shut down; a later step takes it up again. */
  suspend(): void {
    this.#isSuspending = true;
  }

  /** Takes a step every `intervalMs` until `stop`. */
  run(clock: Clock, intervalMs: number): void {
    this.#timer = every(clock, intervalMs, () => void this.step());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Takes steps until there is nothing to do. */
  settle(): Step[] {
    const steps: Step[] = [];
    for (let step = this.step(); step.kind !== "idle"; step = this.step()) steps.push(step);
    return steps;
  }

  /** Does the next thing that is due: drafts first, then jobs that are to end, to go on, to start. */
  step(): Step {
    const { connectors } = this.#cluster;
    for (const { id, draft } of connectors.connectors.values()) {
      if (draft.validation.state === "edited") return this.#validate(id);
    }
    const jobs = [...connectors.jobs.values()];
    const withStatus = (...statuses: SyncJob["status"][]) =>
      jobs.find(({ status }) => statuses.includes(status));
    const canceling = withStatus("canceling");
    if (canceling !== undefined) return this.#cancel(canceling);
    const running = withStatus("in_progress");
    if (running !== undefined) return this.#isSuspending ? this.#suspend(running) : this.#carryOut(running);
    const waiting = withStatus("pending", "suspended");
    if (waiting === undefined) return { kind: "idle" };
    connectors.move(waiting.id, "in_progress", { startedAt: connectors.now() });
    return { kind: "started", jobId: waiting.id };
  }

  #validate(connectorId: string): Step {
    const { connectors } = this.#cluster;
    const errors = problemsOf(connectors.get(connectorId).draft.rules);
    // As the real service does, beside what the activation endpoint offers: a valid draft is active at once.
    connectors.setValidation(connectorId, { state: errors.length === 0 ? "valid" : "invalid", errors });
    if (errors.length === 0) connectors.activate(connectorId);
    return { kind: "validated", connectorId };
  }

  #cancel({ id }: SyncJob): Step {
    const now = this.#cluster.connectors.now();
    this.#cluster.connectors.move(id, "canceled", { canceledAt: now, completedAt: now });
    return { kind: "canceled", jobId: id };
  }

  #suspend({ id }: SyncJob): Step {
    this.#isSuspending = false;
    this.#cluster.connectors.move(id, "suspended");
    return { kind: "suspended", jobId: id };
  }

  #carryOut(job: SyncJob): Step {
    const failure = this.#failures.shift();
    const counts = this.#synchronize(job, failure?.afterDocuments ?? Number.POSITIVE_INFINITY);
    const done = { ...counts, completedAt: this.#cluster.connectors.now() };
    if (failure === undefined) {
      this.#cluster.connectors.move(job.id, "completed", done);
      return { kind: "completed", jobId: job.id };
    }
    this.#cluster.connectors.move(job.id, "error", { ...done, error: failure.error });
    return { kind: "failed", jobId: job.id };
  }

  /** Brings the index in line with the bucket, seen through the rules; at most `documentsMax` are written. */
  #synchronize(
    job: SyncJob,
    documentsMax: number,
  ): Pick<SyncJob, "indexed" | "indexedBytes" | "deleted" | "total"> {
    const index = this.#cluster.writeTarget(job.indexName);
    const wanted = new Set<string>();
    let [indexed, indexedBytes, deleted] = [0, 0, 0];
    let isCut = false;
    for (const [key, object] of this.#bucket.objects) {
      const document = fieldsOf(this.#bucket.name, key, object);
      if (!isLetIn(job.filtering.rules, document)) continue;
      const { _id: id } = document;
      wanted.add(id);
      if (index.documents.get(id)?.source._timestamp === document._timestamp) continue;
      isCut = indexed >= documentsMax;
      if (isCut) break;
      index.write(id, withContent(id, document, object.text), {});
      indexed += 1;
      indexedBytes += Buffer.byteLength(object.text);
    }
    if (!isCut) {
      for (const id of [...index.documents.keys()].filter((one) => !wanted.has(one))) {
        index.remove(id, {});
        deleted += 1;
      }
    }
    index.refresh();
    return { indexed, indexedBytes, deleted, total: index.documents.size };
  }
}

/** The id that the S3 connector gives the document of an object. */
export function idOf(bucket: string, key: string): string {
  return createHash("md5").update(`${bucket}/${key}`).digest("hex");
}

function withContent(id: string, { _id, ...fields }: ReturnType<typeof fieldsOf>, text: string): JsonObject {
  const isExtracted = fields.size_in_bytes <= CONTENT_BYTES_MAX && EXTRACTED.test(fields.filename);
  return { id, ...fields, ...(isExtracted ? { body: text } : {}) };
}

/** What the rules see of an object, and the index keeps. */
function fieldsOf(bucket: string, key: string, { text, modifiedAtMs }: BucketObject) {
  return {
    _id: idOf(bucket, key),
    filename: key,
    size_in_bytes: Buffer.byteLength(text),
    bucket,
    owner: "",
    storage_class: "STANDARD",
    _timestamp: new Date(modifiedAtMs).toISOString(),
  };
}
