import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { EMERGENCY_WORDS } from "./words.js";

const ROLES = [
  ...readFileSync(new URL("./words.ts", import.meta.url), "utf8").matchAll(/readonly (\w+): string;/g),
];

it.each(Object.entries(EMERGENCY_WORDS))(
  "has entries for each role, and for nothing else, in %s",
  (_, words) => {
    expect(Object.keys(words).sort()).toEqual(ROLES.map(([, role]) => role).sort());
    for (const entries of Object.values(words)) expect(entries).toMatch(/\S/);
  },
);
