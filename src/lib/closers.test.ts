import { expect, it } from "vitest";
import { Closers } from "./closers.js";

it("closes what was opened once, the latest first, each before the next", async () => {
  const closed: string[] = [];
  const closers = new Closers();
  const close = async (name: string) => {
    await Promise.resolve();
    closed.push(name);
  };
  expect(closers.add("database", close)).toBe("database");
  closers.add("absent", () => undefined);
  closers.add("thread", close);
  await closers.close();
  await closers.close();
  expect(closed).toEqual(["thread", "database"]);
});
