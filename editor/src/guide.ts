/** Guides and sessions as the service writes them, and where a step leads to. Pure. */

export interface GuideOption {
  readonly id: string;
  readonly label: string;
  readonly next: string;
}

/** As a guide's file has it; of its fields those that the page knows by name. */
export interface Step {
  readonly id: string;
  readonly kind: string;
  readonly title?: string;
  readonly text?: string;
  readonly next?: string;
  readonly otherwise?: string;
  readonly options?: readonly GuideOption[];
  readonly [field: string]: unknown;
}

export interface Guide {
  readonly id: string;
  readonly name: string;
  readonly flow_type: string;
  readonly version: number;
  readonly steps: readonly Step[];
  readonly [field: string]: unknown;
}

export interface Finding {
  readonly rule: string;
  readonly step?: string;
  readonly problem: string;
  readonly remedy: string;
}

export interface Patch {
  readonly op: string;
  readonly id?: string;
  readonly after?: string;
  readonly before?: string;
  readonly step?: Step;
  readonly steps?: readonly Step[];
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface Suggestion {
  readonly id: string;
  readonly status: "proposed" | "accepted" | "dismissed";
  readonly by?: string;
  readonly patches: readonly Patch[];
}

export interface Message {
  readonly at: string;
  readonly role: "person" | "builder";
  readonly by: string;
  readonly text: string;
  readonly focal_step_id?: string;
}

export interface SessionSummary {
  readonly id: string;
  readonly version: number;
  readonly owner: string;
  readonly name: string;
  readonly phase: string;
  readonly status: string;
}

export interface Session extends SessionSummary {
  readonly messages_left: number;
  readonly guide: Guide;
  /** Ids of steps that nobody stands behind. */
  readonly marked: readonly string[];
  readonly findings: readonly Finding[];
  readonly messages: readonly Message[];
  readonly suggestions: readonly Suggestion[];
  readonly undo_left: number;
}

export type GuideSummary = Pick<Guide, "id" | "name" | "flow_type" | "version"> & {
  readonly status: string;
};

/** What a step leads to, and by which answer. */
export interface WayOut {
  readonly to: string;
  readonly label: string;
}

/** Nothing follows these but what they name. */
const LEADS_ON_BY_NAME: readonly string[] = ["question", "solution", "end"];

/** `otherwise`: how the way of what failed is called. */
export function waysOut(
  steps: readonly Step[],
  at: number,
  flowType: string,
  otherwise: string,
): readonly WayOut[] {
  const step = steps[at]!;
  const listed = flowType === "troubleshooting" ? undefined : steps[at + 1]?.id;
  const next = LEADS_ON_BY_NAME.includes(step.kind) ? undefined : (step.next ?? listed);
  return [
    ...(step.options ?? []).map(({ label, next: to }) => ({ to, label })),
    ...(next === undefined ? [] : [{ to: next, label: "" }]),
    ...(step.otherwise === undefined ? [] : [{ to: step.otherwise, label: otherwise }]),
  ];
}

/** How a step is called. */
export function nameOf({ id, text, title }: Step): string {
  return title ?? text ?? id;
}
