/** A guide from the value or the text of its file, and back. Everything that is wrong is told at once. */
import type { z } from "zod";
import { camelCaseName } from "../../lib/camel-case.js";
import { fieldName, pathOf } from "../../lib/field-name.js";
import { isRecord } from "../../lib/is-record.js";
import { isNestedDeeper } from "../../lib/json-depth.js";
import { UsageProblem } from "../../lib/usage-problem.js";
import { parseYaml, YamlError } from "../../lib/yaml.js";
import { findingText, type GuideFinding, type GuideRule } from "./finding.js";
import type { Guide } from "./guide.js";
import { guideSchema } from "./schema.js";

/** UTF-16 units of a guide's file at the most: 1 MiB. */
export const GUIDE_FILE_CHARS_MAX = 1_048_576;
/** Levels of nesting in a file: a tree nests each step in the question before it. */
export const GUIDE_DEPTH_MAX = 512;
/** Findings that a message tells; beyond that they are counted. */
const TOLD_MAX = 20;

/** A guide that cannot be read. */
export class GuideProblem extends UsageProblem {
  override readonly name = "GuideProblem";
  constructor(
    what: string,
    readonly findings: readonly GuideFinding[],
  ) {
    const rest = findings.length - TOLD_MAX;
    const told = findings.slice(0, TOLD_MAX).map(findingText);
    super([what, ...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n"));
  }
}

/** A guide from what its file holds, parsed already. Throws `GuideProblem`. */
export function parseGuide(value: unknown): Guide {
  const parsed = guideSchema.safeParse(value);
  if (parsed.success) return renamed(parsed.data, camelCaseName) as Guide;
  throw new GuideProblem("The guide does not have the shape of one:", shapeFindings(parsed.error, value));
}

/** The guide as its file writes it; `parseGuide` makes the same guide of it. */
export function guideFile(guide: Guide): Readonly<Record<string, unknown>> {
  return renamed(guide, snakeCaseName) as Readonly<Record<string, unknown>>;
}

/** What a file holds: YAML by its name, JSON otherwise. Throws `GuideProblem`. */
export function fileValue(text: string, file: string): unknown {
  if (text.length > GUIDE_FILE_CHARS_MAX)
    throw problemOf(
      file,
      `has more than ${GUIDE_FILE_CHARS_MAX} characters`,
      "split it into guides of their own",
    );
  if (isNestedDeeper(text, GUIDE_DEPTH_MAX))
    throw problemOf(
      file,
      `is nested more than ${GUIDE_DEPTH_MAX} levels deep`,
      "join its branches with loop-backs",
    );
  try {
    return /\.ya?ml$/i.test(file) ? parseYaml(text).data : (JSON.parse(text) as unknown);
  } catch (error) {
    if (error instanceof YamlError)
      throw problemOf(file, `is not YAML (line ${error.line}: ${error.message})`, "correct that line");
    if (!(error instanceof SyntaxError)) throw error;
    throw problemOf(file, `is not JSON (${error.message})`, "correct it, or name it .yaml where it is YAML");
  }
}

function problemOf(file: string, problem: string, remedy: string): GuideProblem {
  return new GuideProblem(`${file} cannot be read:`, [{ rule: "shape", problem, remedy }]);
}

/** What a schema finds wrong with a file, each by the innermost step that it stands in. */
export function shapeFindings(
  { issues }: z.ZodError,
  value: unknown,
  ruleOf: (field: readonly PropertyKey[], remedy: string) => GuideRule = () => "shape",
): readonly GuideFinding[] {
  return issues.map((issue): GuideFinding => {
    const path = pathOf(issue);
    const { field, found, step } = foundAt(value, path);
    const isUnknown = issue.code === "unrecognized_keys";
    const remedy = isUnknown ? "take it out, or correct its name" : issue.message;
    const isMissing = found === undefined && path.length > 0;
    const what = isUnknown ? "is not known here" : isMissing ? "is missing" : "is not as it has to be";
    const problem = `\`${fieldName(field) || "it"}\` ${what}`;
    return { rule: ruleOf(field, issue.message), ...(step && { step }), problem, remedy };
  });
}

/** What a path leads to, the innermost step on it, and the rest of the path. */
function foundAt(value: unknown, path: readonly PropertyKey[]) {
  let [found, step, field] = [value, undefined as string | undefined, path];
  for (const [at, key] of path.entries()) {
    found = (found as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key];
    if (typeof key === "number" && ["children", "steps"].includes(String(path[at - 1])))
      [step, field] = [nameOfStep(key, found), path.slice(at + 1)];
  }
  return { found, step, field };
}

/** A step's id, or which it is where it has none. */
function nameOfStep(at: number, step: unknown): string {
  return isRecord(step) && typeof step.id === "string" && step.id !== "" ? step.id : `number ${at + 1}`;
}

/** Fields whose contents are somebody else's. */
const FOREIGN = new Set(["extra", "envelope", "nesting"]);

/** `value` with other names of fields, deeply, but for what is somebody else's. */
function renamed(value: unknown, name: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) =>
      field === undefined ? [] : [[name(key), FOREIGN.has(key) ? field : renamed(field, name)]],
    ),
  );
}

function snakeCaseName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
