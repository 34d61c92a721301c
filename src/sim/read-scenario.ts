/** A scenario from its file's text; everything that is wrong with it is told with its line. */
import type { z } from "zod";
import { UsageProblem } from "../lib/usage-problem.js";
import { parseYaml, type Yaml, YamlError } from "../lib/yaml.js";
import { type Crew, type Scenario, type Step, scenarioSchema } from "./scenario.js";

/** The scenario cannot be used. The message lists what is wrong, one a line: `file:line: place: what`. */
export class ScenarioProblem extends UsageProblem {
  override readonly name = "ScenarioProblem";
}

/** Problems that are told; beyond that they are counted. */
const PROBLEMS_TOLD_MAX = 20;

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** `file` is what problems call it. Throws `ScenarioProblem`. */
export function readScenario(content: string, file: string): Scenario {
  const yaml = parse(content, file);
  const parsed = scenarioSchema.safeParse(yaml.data);
  if (!parsed.success) throw problemOf(parsed.error.issues.flatMap(leaves), yaml, file);
  const problems = contradictions(parsed.data);
  if (problems.length > 0) throw problemOf(problems, yaml, file);
  return parsed.data;
}

function parse(content: string, file: string): Yaml {
  try {
    return parseYaml(content);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ScenarioProblem(`${file}:${error.line}: is not YAML: ${error.message}`, { cause: error });
  }
}

type Issue = z.core.$ZodIssue;

/** Of a choice: the problems of the alternative that came furthest, or the choice's own where none fits at all. */
function leaves(issue: Issue): Problem[] {
  const path = issue.path;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...path, key], message: "is not known here" }));
  if (issue.code !== "invalid_union") return [{ path, message: issue.message }];
  const inner = issue.errors
    .map((issues) => issues.flatMap((each) => leaves({ ...each, path: [...path, ...each.path] } as Issue)))
    .filter((problems) => problems.some((problem) => problem.path.length > path.length));
  const [best] = inner.toSorted((a, b) => a.length - b.length);
  return best ?? [{ path, message: issue.message }];
}

function problemOf(problems: readonly Problem[], yaml: Yaml, file: string): ScenarioProblem {
  const told = problems.slice(0, PROBLEMS_TOLD_MAX).map(({ path, message }) => {
    const place = path.length === 0 ? "" : `${path.join(".")}: `;
    return `${file}:${yaml.lineOf(path)}: ${place}${message}`;
  });
  const rest = problems.length - told.length;
  return new ScenarioProblem([...told, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n"));
}

/** What no single value shows. */
function contradictions(scenario: Scenario): Problem[] {
  const relays = Object.keys(scenario.relays);
  const noRelay = (name: string, path: readonly PropertyKey[]): Problem[] =>
    relays.includes(name)
      ? []
      : [{ path, message: `there is no relay ${name}; there are ${relays.join(", ")}` }];
  return [
    ...scenario.users.flatMap((crew, i) => crewProblems(crew, scenario, ["users", i], noRelay)),
    ...sameNames(scenario.users),
    ...scenario.timeline.flatMap((event, i) => [
      ...noRelay(event.relay, ["timeline", i, "relay"]),
      ...(event.users_to ?? []).flatMap((name) => noRelay(name, ["timeline", i, "users_to"])),
      ...(event.does === "stop_reading" && event.for === undefined
        ? [{ path: ["timeline", i], message: "needs for: how long it does not read" }]
        : []),
    ]),
  ];
}

type NoRelay = (name: string, path: readonly PropertyKey[]) => Problem[];

function crewProblems(
  crew: Crew,
  scenario: Scenario,
  path: readonly PropertyKey[],
  noRelay: NoRelay,
): Problem[] {
  const { every, does, steps, until, from } = crew;
  const repeats = every !== undefined && does !== undefined && steps === undefined;
  const once = every === undefined && does === undefined && steps !== undefined;
  return [
    ...crew.relays.flatMap((name) => noRelay(name, [...path, "relays"])),
    ...(repeats || once ? [] : [{ path, message: "needs either every and does, or steps" }]),
    ...(until !== undefined && until <= from
      ? [{ path: [...path, "until"], message: "is not after from" }]
      : []),
    ...(steps ?? []).flatMap((step, i) => stepProblems(step, scenario, [...path, "steps", i], noRelay)),
    ...(does ?? []).flatMap((activity, i) =>
      activity.steps.flatMap((step, j) => {
        const place = [...path, "does", i, "steps", j];
        const fixed =
          step.at === undefined
            ? []
            : [{ path: place, message: "cannot begin at a fixed time: it is done again and again" }];
        return [...fixed, ...stepProblems(step, scenario, place, noRelay)];
      }),
    ),
  ];
}

function stepProblems(
  step: Step,
  { questions }: Scenario,
  path: readonly PropertyKey[],
  noRelay: NoRelay,
): Problem[] {
  const list = step.ask_from ?? step.say_from;
  const known = list === undefined || Object.hasOwn(questions, list);
  return [
    ...(step.move === undefined ? [] : noRelay(step.move, [...path, "move"])),
    ...(known ? [] : [{ path, message: `there is no list of questions ${list}` }]),
    ...(step.hold === true &&
    step.say === undefined &&
    step.say_from === undefined &&
    step.audio === undefined &&
    step.press === undefined
      ? [{ path: [...path, "hold"], message: "is for what is spoken" }]
      : []),
  ];
}

function sameNames(crews: readonly Crew[]): Problem[] {
  return crews.flatMap(({ name, network }, i) =>
    crews.slice(0, i).some((other) => other.name === name && other.network === network)
      ? [{ path: ["users", i, "name"], message: `there is another ${name}` }]
      : [],
  );
}
