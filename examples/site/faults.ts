/**
 * Faults for tests and demonstrations, planted from outside: the file `faults` in the plant's directory has one a line,
 * and counts from the next call on. No tool knows of them. `nan t1 level`, `crash read_status`, `slow stop 2000`.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Each with what it is about, and what may come after that. */
const FAULTS = {
  stale: "THING [SIGNAL]: its sensors were last read an hour ago",
  future: "THING [SIGNAL]: its sensors were read an hour from now",
  disagree: "THING [SIGNAL]: one more sensor shows something else",
  unit_missing: "THING [SIGNAL]: readings have no unit",
  nan: "THING [SIGNAL]: sensors show no number",
  renamed: "THING: its address ends in -new",
  withdrawn: "THING: there is no such thing any more",
  instructions: "THING: its status tells the reader what to do",
  tripped: "THING: it has stopped by itself, whatever was done",
  schema: "TOOL: it takes one more argument",
  slow: "TOOL [MS]: it takes so long, half a minute if it is not said",
  crash: "TOOL: the server ends when it is called",
  lost_reply: "TOOL: the server ends once it has had its effect",
  no_effect: "TOOL: it says ok and does nothing",
  refuse: "TOOL: it says that it failed, and does nothing",
  denies: "TOOL: it has its effect, and says that it failed",
  large: "TOOL: its reply has ten megabytes",
} as const;

const SLOW_MS = 30_000;

export type FaultName = keyof typeof FAULTS;

export const FAULTS_FILE = "faults";

type Fault = readonly [name: string, subject: string, detail: string | undefined];

export class Faults {
  constructor(
    private readonly directory: string,
    private readonly complain: (message: string) => void,
  ) {}

  /** Whether a fault is planted for a thing or a tool; one without a detail is for all of its signals. */
  has(name: FaultName, subject: string, detail?: string): boolean {
    return this.#planted().some(
      ([own, ofWhat, only = detail]) => own === name && ofWhat === subject && only === detail,
    );
  }

  /** How long a tool shall take, in milliseconds. */
  delayMs(tool: string): number {
    const slow = this.#planted().find(([name, subject]) => name === "slow" && subject === tool);
    return slow === undefined ? 0 : Number(slow[2] ?? SLOW_MS);
  }

  #planted(): readonly Fault[] {
    const file = join(this.directory, FAULTS_FILE);
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
    return lines.flatMap((line): Fault[] => {
      const [name = "", subject, detail] = line.trim().split(/ +/);
      if (subject !== undefined && Object.hasOwn(FAULTS, name)) return [[name, subject, detail]];
      if (name !== "") this.complain(`no such fault: ${line}; there are ${JSON.stringify(FAULTS, null, 1)}`);
      return [];
    });
  }
}
