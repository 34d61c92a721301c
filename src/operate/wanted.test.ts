/** What is wanted, by templates and words: of what, which signal, which state, and whether that is all that was said. */
import { describe, expect, test } from "vitest";
import { english } from "../../test/support/locales.js";
import type { Resource } from "../domain/resource.js";
import { NO_TARGETS } from "../domain/target-context.js";
import { atOnce } from "../lib/steps.js";
import { commands } from "../routing/commands.js";
import { Registry } from "./targets/registry.js";
import { wantedIn } from "./wanted.js";

const access = { network: "acme", visibility: "network", allowedUsers: [], allowedGroups: [] } as const;
const thing = (kind: string, address: string, name: string): Resource => ({
  ...{ id: `plant/${kind}/${address}`, site: "plant", kind, address, names: [name], area: "hall two" },
  ...{ paths: [], access },
});
const ALL = [
  thing("pump", "p1", "pump one"),
  thing("pump", "p2", "pump two"),
  thing("tank", "t1", "tank one"),
];
const ANN = { network: "acme", username: "ann", groups: [], kiosk: false };
const known = Registry.EMPTY.with("plant", ALL).knownTo(ANN);
const offered = ["status", "alarm", "temperature", "backup", "backup_age", "load"];
const told = atOnce(commands.with("equipment", known.names(100)));

function wanted(question: string) {
  const from = { question, mentions: [], commands: told, known, context: NO_TARGETS, offered, machines: [] };
  return atOnce(wantedIn({ ...from, locale: english, nowMs: 0 }));
}

test.each([
  ["is pump two running", ["status"], "running", true],
  ["what is the temperature of pump two", ["temperature"], undefined, true],
  ["how old is the backup age", ["backup_age"], undefined, false],
  ["what is the load", ["load"], undefined, true],
  ["what is the load right now", ["load"], undefined, true],
  ["läuft pump two", ["status"], "running", true],
  ["what is the load of the crane", ["load"], undefined, false],
  ["what is the maximum load", ["load"], undefined, false],
  ["what temperature must pump two have", ["temperature"], undefined, false],
  ["what does the handbook say about pump two", ["status"], undefined, false],
  ["open tank one", ["status"], "open", false],
  ["how long has the machine been up", ["uptime"], "running", false],
  ["wie lange läuft der Rechner schon", ["uptime"], undefined, false],
])("%s", (question, signals, state, isExplained) => {
  const { signals: asked, state: isState, isExplained: isAll } = wanted(question);
  expect({ asked, isState, isAll }).toEqual({ asked: signals, isState: state, isAll: isExplained });
});

test.each([
  ["what was the temperature of pump two yesterday", true],
  ["what was the average temperature of pump two in the last hour", true],
  ["how warm was pump two an hour ago", true],
  ["was pump two running last night", true],
  ["wie war die Temperatur von pump two gestern", true],
  ["what is the temperature of pump two now", false],
  ["when was the last backup", false],
  ["did the backup work last night", false],
  ["is pump two running at last", false],
])("asks how it was or how it is: %s", (question, isPast) => {
  expect(wanted(question).isPast).toBe(isPast);
});

test("is ok and how is it ask for alarms too, and a value that was said for what it is a value of", () => {
  expect(wanted("is pump two ok")).toMatchObject({ signals: ["status", "alarm"], isExplained: true });
  expect(wanted("are all pumps ok").signals).toEqual(["status", "alarm"]);
  expect(wanted("how is pump two").signals).toEqual(["status", "alarm"]);
  expect(wanted("check pump two").signals).toEqual(["status", "alarm"]);
  expect(wanted("is pump two running").signals).toEqual(["status"]);
  const weighed = { signals: ["temperature"], isWeighed: true, isExplained: true };
  expect(wanted("is 60 °C ok for pump two")).toMatchObject(weighed);
  expect(wanted("is 60 degrees celsius fine for pump two").signals).toEqual(["temperature"]);
  expect(wanted("is 12 bar ok for pump two").signals).toEqual(["status"]);
});

describe("the machine that is the site", () => {
  const service = (name: string, ...others: string[]): Resource => ({
    ...{ id: `host/service/${name}`, site: "host", kind: "service", address: name, paths: [], access },
    names: [name, ...others],
  });
  const services = [service("dbus", "dbus-server", "dbus-daemon"), service("redis server", "redis-server")];
  const asked = (question: string, machines = ["host"], things = services) => {
    const some = Registry.EMPTY.with("host", things).with("plant", ALL).knownTo(ANN);
    const from = { question, mentions: [], commands: told, known: some, context: NO_TARGETS, machines };
    const { isExplained, signals, target } = atOnce(
      wantedIn({ ...from, offered: ["status", "uptime", "load"], locale: english, nowMs: 0 }),
    );
    return [target.type, ...signals, isExplained];
  };

  test.each([
    "how long has this server been running",
    "is the machine up",
    "is this server running",
    "is the box down",
    "läuft der Rechner",
    "ist der Server an",
    "está encendido el servidor",
    "le serveur est il allumé",
    "czy komputer jest włączony",
    "чи працює сервер",
  ])("%s", (question) => {
    expect(asked(question)).toEqual(["none", "uptime", true]);
  });

  test("has its own readings, and gives way to what bears its name or says more", () => {
    expect(asked("what is the load of this server")).toEqual(["none", "load", true]);
    expect(asked("is the redis server running")).toEqual(["one", "status", true]);
    expect(asked("is the server on line three running")).toEqual(["unknown", "status", false]);
    expect(asked("is the machine up", [])).toEqual(["unknown", "status", false]);
    expect(asked("is the server up", ["host"], [service("server")])).toEqual(["one", "status", true]);
    const plant = { ...thing("server", "s1", "label server"), site: "host", id: "host/server/s1" };
    expect(asked("is the server up", ["elsewhere"], [plant])).toEqual(["one", "status", true]);
  });
});

test("a denial asks for the state, and for no yes or no", () => {
  for (const question of ["is pump two not running", "läuft pump two nicht"]) {
    const { signals, state, target } = wanted(question);
    expect([signals, state, target.type]).toEqual([["status"], "status", "one"]);
  }
});

test.each([
  ["is pump two too hot", true],
  ["is tank one still cold enough", true],
  ["ist pump two zu warm", true],
  ["est ce que pump two est trop chaud", true],
  ["está pump two demasiado caliente", true],
  ["czy pump two jest za ciepła", true],
  ["чи pump two занадто гаряче", true],
  ["how hot is pump two", false],
])("%s: weighed against what is allowed: %s", (question, isWeighed) => {
  expect(wanted(question)).toMatchObject({ signals: ["temperature"], isWeighed, target: { type: "one" } });
});
