import { describe, expect, it } from "vitest";
import { NAME, serviceNames } from "./services.js";

/** Rows of the reference's table, and attempts at commands, options and paths. */
const SERVICES: readonly [name: string, isValid: boolean][] = [
  ["nginx", true],
  ["docker-compose@app", true],
  ["postgresql@15-main.service", true],
  ["", false],
  ["nginx && cat /etc/passwd", false],
  ["$(whoami)", false],
  ["`id`", false],
  ["-H", false],
  ["--host=elsewhere", false],
  ["../../etc/shadow", false],
  ["nginx\n--no-pager", false],
  ["nginx\u0000", false],
  ["n".repeat(129), false],
];

const CONTAINERS: readonly [name: string, isValid: boolean][] = [
  ["nginx", true],
  ["my-container_1", true],
  ["abc123def456", true],
  ["nginx; rm -rf /", false],
  ["container$(id)", false],
  ["-a", false],
  ["a/b", false],
];

describe("names", () => {
  it.each(SERVICES)("of a service: %j is %s", (name, isValid) => {
    expect(NAME.test(name)).toBe(isValid);
  });

  it.each(CONTAINERS)("of a container: %j is %s", (name, isValid) => {
    expect(NAME.test(name)).toBe(isValid);
  });

  it.each([
    ["libstdc++6", true],
    ["g++", true],
    ["a b", false],
    ["-y", false],
  ])("of a package: %j is %s", (name, isValid) => {
    expect(NAME.test(name)).toBe(isValid);
  });

  it.each([
    ["redis", "redis-server"],
    ["redis-server", "redis"],
    ["ssh", "sshd"],
    ["sshd", "ssh"],
    ["dbus", "dbus-daemon"],
    ["nginx.service", "nginx"],
  ])("%s also goes by %s", (name, other) => {
    expect(serviceNames(name)).toContain(other);
  });
});
