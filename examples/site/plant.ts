/** What stands in the plant of the example: machines, containers, storage, backups. Data, and the types of it. */

export const ACTIONS = ["start", "stop", "restart", "drain", "set_point", "update"] as const;
export type Action = (typeof ACTIONS)[number];

/** What a thing is told to be: `on` is in use, `empty` is a tank that was drained. */
export const MODES = ["on", "stopped", "fault", "empty"] as const;
export type Mode = (typeof MODES)[number];

/** Something that is measured. */
export interface Signal {
  readonly name: string;
  readonly unit: string;
  /** What it shows while all is well, and what while the thing is off. */
  readonly usual: number;
  readonly rest: number;
  /** How far it moves up and down by itself. */
  readonly swing: number;
  /** How many sensors measure it; 1 if absent. */
  readonly sensors?: number;
  /** Lowest and highest set point, where it has one; of a kind, one signal has at most. */
  readonly range?: readonly [lowest: number, highest: number];
}

export interface Kind {
  readonly actions: readonly Action[];
  readonly signals: readonly Signal[];
  /** What its status is called where that is not `running` or the mode. */
  readonly words?: Partial<Record<Mode, string>>;
}

export interface Thing {
  readonly address: string;
  readonly kind: string;
  readonly name: string;
  readonly area: string;
  /** Address of what it is part of, or runs on. */
  readonly parent?: string;
  /** Its mode at the beginning; `on` if absent. */
  readonly mode?: Mode;
  /** How far signals are from what is usual. */
  readonly off?: Readonly<Record<string, number>>;
  readonly alarms?: readonly AlarmRule[];
  readonly software?: { readonly software: string; readonly version: string; readonly latest: string };
  readonly mounts?: readonly { readonly source: string; readonly destination: string }[];
  /** Of a backup: the hour of the day (UTC) at which it runs, and its size in gigabytes. */
  readonly backup?: { readonly hour: number; readonly gigabytes: number };
}

export interface AlarmRule {
  readonly text: string;
  readonly severity: "warning" | "critical";
  /** For how many minutes it had been active when the plant began. */
  readonly minutes: number;
  /** Active while the signal is above the limit; absent: while the thing is in fault. */
  readonly above?: readonly [signal: string, limit: number];
}

const RUN: readonly Action[] = ["start", "stop", "restart"];
const SET: readonly Action[] = [...RUN, "set_point"];
const ROOM = 20;

type Numbers = readonly [usual: number, rest: number, swing: number];

function signal(name: string, unit: string, numbers: Numbers, more: Partial<Signal> = {}): Signal {
  const [usual, rest, swing] = numbers;
  return { name, unit, usual, rest, swing, ...more };
}

function kind(actions: readonly Action[], signals: readonly Signal[], words: Kind["words"] = {}): Kind {
  return { actions, signals, words };
}

const COMPUTER = [signal("cpu", "%", [17, 0, 9]), signal("memory", "%", [46, 0, 3])];

export const KINDS: Readonly<Record<string, Kind>> = {
  line: kind([], []),
  pump: kind(SET, [
    signal("speed", "rpm", [1450, 0, 15], { range: [600, 1800] }),
    signal("pressure", "bar", [4.2, 0, 0.2]),
    signal("temperature", "°C", [48, ROOM, 3]),
  ]),
  tank: kind(
    ["drain"],
    [signal("level", "%", [62, 0, 9], { sensors: 2 }), signal("temperature", "°C", [18, ROOM, 1])],
    { on: "in service" },
  ),
  press: kind(SET, [
    signal("temperature", "°C", [182, ROOM, 2], { range: [120, 220] }),
    signal("pressure", "bar", [160, 0, 6]),
  ]),
  compressor: kind(SET, [signal("pressure", "bar", [7.5, 0, 0.3], { range: [6, 9] })]),
  mixer: kind(SET, [signal("speed", "rpm", [90, 0, 2], { range: [20, 120] })]),
  printer: kind(RUN, [signal("ribbon", "%", [64, 64, 5])]),
  conveyor: kind(SET, [signal("speed", "m/min", [24, 0, 0.5], { range: [5, 40] })]),
  freezer: kind(SET, [signal("temperature", "°C", [-20, 4, 0.8], { sensors: 2, range: [-28, -16] })]),
  node: kind([], COMPUTER, { on: "online" }),
  host: kind([], COMPUTER),
  container: kind([...RUN, "update"], COMPUTER),
  pool: kind([], [signal("used", "%", [71, 71, 1]), signal("free", "GB", [1160, 1160, 40])], {
    on: "online",
  }),
  backup: kind([], [], { on: "ok", fault: "failed" }),
};

const HOT: AlarmRule = {
  text: "Bearing is hot",
  severity: "warning",
  minutes: 50,
  above: ["temperature", 70],
};
const OPEN: AlarmRule = { text: "Guard door is open", severity: "critical", minutes: 25 };
const WARM: AlarmRule = { text: "Too warm", severity: "critical", minutes: 20, above: ["temperature", -15] };
const FULL: AlarmRule = { text: "Nearly full", severity: "warning", minutes: 600, above: ["used", 85] };
const NO_ROOM: AlarmRule = { text: "No room in the archive pool", severity: "warning", minutes: 300 };

/** Machines by place and line. Their addresses have the letters of their kind and a number. */
const MACHINES: readonly (readonly [area: string, parent: string, addresses: string])[] = [
  ["hall one", "", "line1 line2 t1 t2"],
  ["hall one", "line1", "p1 r1 lp1 cv1"],
  ["hall one", "line2", "p2 r2 lp2 cv2"],
  ["hall two", "", "line3 p4 t3 t4 r3 m2 f3"],
  ["hall two", "line3", "p3 m1 lp3 cv3"],
  ["boiler house", "", "p5 p6 c1"],
  ["cold store", "", "f1 f2"],
];
const LETTERS: Readonly<Record<string, string>> = {
  ...{ line: "line", p: "pump", t: "tank", r: "press", lp: "printer", m: "mixer" },
  ...{ cv: "conveyor", f: "freezer", c: "compressor" },
};
const NUMBERS = ["one", "two", "three", "four", "five", "six"];

/** How some of them are, or were when the plant began. */
const SPECIAL: Readonly<Record<string, Partial<Thing>>> = {
  p6: { off: { temperature: 31 }, alarms: [HOT] },
  t2: { off: { level: -30 } },
  r2: { mode: "fault", alarms: [OPEN] },
  m2: { mode: "stopped" },
  lp2: { mode: "stopped" },
  lp3: { software: { software: "firmware", version: "6.1.0", latest: "6.2.1" } },
  f2: { off: { temperature: 9 }, alarms: [WARM] },
};

function machine(area: string, parent: string, address: string): Thing {
  const [letters = "", number = ""] = address.split(/(?=\d)/);
  const kind = LETTERS[letters] ?? letters;
  const name = kind === "printer" ? "label printer" : kind;
  const called = kind === "compressor" ? name : `${name} ${NUMBERS[Number(number) - 1]}`;
  return { address, kind, name: called, area, ...(parent === "" ? {} : { parent }), ...SPECIAL[address] };
}

/** A computer, or what runs on it or is kept for it. */
function kept(kind: string, address: string, name: string, more: Partial<Thing>): Thing {
  return { address, kind, name, area: "server room", ...more };
}

function container(name: string, version: string, latest: string, destination: string): Thing {
  const mounts = [{ source: `/srv/${name}`, destination }];
  const software = { software: name, version, latest };
  return kept("container", name, name, { parent: "line-server", software, mounts });
}

const FULL_POOL = { off: { used: 20, free: -790 }, alarms: [FULL] };
const FAILED: Partial<Thing> = { mode: "fault", backup: { hour: 3, gigabytes: 0 }, alarms: [NO_ROOM] };

export const THINGS: readonly Thing[] = [
  ...MACHINES.flatMap(([area, parent, list]) =>
    list.split(" ").map((address) => machine(area, parent, address)),
  ),
  kept("node", "kestrel", "kestrel", {}),
  kept("host", "line-server", "line server", { parent: "kestrel" }),
  container("grafana", "12.1.0", "12.3.2", "/var/lib/grafana"),
  container("mosquitto", "2.0.22", "2.0.22", "/mosquitto/data"),
  container("label-service", "4.8.1", "4.9.0", "/data"),
  container("recipe-service", "1.14.0", "1.14.0", "/recipes"),
  container("historian", "2.7.10", "2.7.10", "/var/lib/historian"),
  kept("pool", "fast", "fast pool", { parent: "kestrel" }),
  kept("pool", "archive", "archive pool", { parent: "kestrel", ...FULL_POOL }),
  kept("backup", "nightly", "nightly backup", { parent: "line-server", backup: { hour: 2, gigabytes: 184 } }),
  kept("backup", "recipes", "recipe backup", { parent: "recipe-service", ...FAILED }),
];
