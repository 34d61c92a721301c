/**
 * What the server keeps of connectors and their sync jobs, with the changes that it allows: a draft of filtering rules
 * that must be validated before it is active, and the states of a job. The connector service itself is
 * `ConnectorSimulation`.
 */
import type { Clock } from "../../../src/lib/clock.js";
import { ElasticsearchError, resourceNotFound } from "./errors.js";

export type Policy = "include" | "exclude";
export type RuleKind = "contains" | "ends_with" | "equals" | "regex" | "starts_with" | ">" | "<";

export interface FilteringRule {
  readonly id: string;
  readonly order: number;
  readonly policy: Policy;
  readonly field: string;
  readonly rule: RuleKind;
  readonly value: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type ValidationState = "edited" | "invalid" | "valid";

export interface RuleProblem {
  readonly ids: readonly string[];
  readonly messages: readonly string[];
}

export interface Filtering {
  readonly advanced_snippet: {
    readonly created_at: string;
    readonly updated_at: string;
    readonly value: object;
  };
  readonly rules: readonly FilteringRule[];
  readonly validation: { readonly state: ValidationState; readonly errors: readonly RuleProblem[] };
}

export interface Connector {
  readonly id: string;
  readonly name: string | undefined;
  readonly index_name: string | undefined;
  readonly service_type: string | undefined;
  readonly is_native: boolean;
  readonly description: string | undefined;
  readonly language: string | undefined;
  readonly active: Filtering;
  readonly draft: Filtering;
}

export type JobStatus =
  | "pending"
  | "in_progress"
  | "completed"
  | "error"
  | "canceling"
  | "canceled"
  | "suspended";

export interface SyncJob {
  readonly id: string;
  readonly connectorId: string;
  readonly jobType: "full" | "incremental" | "access_control";
  readonly triggerMethod: "on_demand" | "scheduled";
  readonly createdAt: string;
  readonly status: JobStatus;
  /** The connector's active rules when the job was made: the ones that the job goes by. */
  readonly filtering: Filtering;
  readonly indexName: string;
  readonly serviceType: string;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly canceledAt?: string;
  readonly cancelationRequestedAt?: string;
  readonly error?: string;
  readonly indexed: number;
  readonly indexedBytes: number;
  readonly deleted: number;
  readonly total: number;
}

/** Which state may follow which. */
const NEXT: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  pending: ["in_progress", "canceled"],
  in_progress: ["canceling", "completed", "suspended", "error"],
  suspended: ["in_progress", "canceled"],
  canceling: ["canceled", "error"],
  completed: [],
  canceled: [],
  error: [],
};

export class Connectors {
  readonly connectors = new Map<string, Connector>();
  /** In the order in which they were made. */
  readonly jobs = new Map<string, SyncJob>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  put(id: string, described: Omit<Connector, "id" | "active" | "draft">): "created" | "updated" {
    const before = this.connectors.get(id);
    const filtering = before ?? { active: this.#initialFiltering(), draft: this.#initialFiltering() };
    this.connectors.set(id, { ...described, id, active: filtering.active, draft: filtering.draft });
    return before === undefined ? "created" : "updated";
  }

  get(id: string): Connector {
    const connector = this.connectors.get(id);
    if (connector === undefined) throw resourceNotFound(`connector [${id}] not found`);
    return connector;
  }

  /** Replaces the draft's rules; what was validated before is so no longer. */
  editDraft(id: string, rules: readonly FilteringRule[]): void {
    const connector = this.get(id);
    const sorted = [...rules].sort((one, other) => one.order - other.order);
    this.#change(connector, {
      draft: { ...connector.draft, rules: sorted, validation: { state: "edited", errors: [] } },
    });
  }

  setValidation(id: string, validation: Filtering["validation"]): void {
    const connector = this.get(id);
    this.#change(connector, { draft: { ...connector.draft, validation } });
  }

  activate(id: string): void {
    const connector = this.get(id);
    const { state } = connector.draft.validation;
    if (state !== "valid")
      throw badStatus(
        "Filtering draft needs to be validated by the connector service before activation. " +
          `Current filtering draft validation state [${state}] is not equal to [valid].`,
      );
    this.#change(connector, { active: connector.draft });
  }

  post(id: string, connectorId: string, of: Pick<SyncJob, "jobType" | "triggerMethod">): SyncJob {
    const connector = this.get(connectorId);
    const { index_name: indexName, service_type: serviceType } = connector;
    if (indexName === undefined)
      throw badStatus(`Cannot start a sync for connector [${connectorId}] with no index attached`);
    if (serviceType === undefined)
      throw badStatus(`Cannot start a sync for connector [${connectorId}] without a service type`);
    const job: SyncJob = {
      ...of,
      id,
      connectorId,
      indexName,
      serviceType,
      createdAt: this.now(),
      status: "pending",
      filtering: connector.active,
      indexed: 0,
      indexedBytes: 0,
      deleted: 0,
      total: 0,
    };
    this.jobs.set(id, job);
    return job;
  }

  job(id: string): SyncJob {
    const job = this.jobs.get(id);
    if (job === undefined) throw resourceNotFound(`connector sync job [${id}] not found`);
    return job;
  }

  /** A job that nobody works on is over at once; one in progress is asked to end. */
  cancel(id: string): void {
    const { status } = this.job(id);
    const now = this.now();
    if (status === "pending" || status === "suspended")
      this.move(id, "canceled", { cancelationRequestedAt: now, canceledAt: now, completedAt: now });
    else this.move(id, "canceling", { cancelationRequestedAt: now });
  }

  /** Changes a job's state, as far as the state machine allows it. */
  move(id: string, status: JobStatus, changes: Partial<SyncJob> = {}): void {
    const job = this.job(id);
    if (!NEXT[job.status].includes(status))
      throw badStatus(`Invalid transition attempt from [${job.status}] to [${status}].`);
    this.jobs.set(id, { ...job, ...changes, status });
  }

  #change(connector: Connector, changes: Partial<Connector>): void {
    this.connectors.set(connector.id, { ...connector, ...changes });
  }

  #initialFiltering(): Filtering {
    const now = this.now();
    return {
      advanced_snippet: { created_at: now, updated_at: now, value: {} },
      rules: [
        {
          id: DEFAULT_RULE,
          order: 0,
          policy: "include",
          field: "_",
          rule: "regex",
          value: ".*",
          created_at: now,
          updated_at: now,
        },
      ],
      validation: { state: "valid", errors: [] },
    };
  }
}

/** The rule that every connector begins with. It takes everything that no other rule is about. */
export const DEFAULT_RULE = "DEFAULT";

function badStatus(reason: string): ElasticsearchError {
  return new ElasticsearchError(400, "status_exception", reason);
}
