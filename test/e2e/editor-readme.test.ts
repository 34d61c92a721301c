/** The README's chapter on writing a guide by conversation, word for word, as somebody types it in an empty folder. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { patience } from "../support/patience.js";
import { Child, FREE_PORTS } from "./child.js";
import { temporaryDirectory } from "./world.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const [, CHAPTER = ""] = /\n## Write a guide by conversation\n([\s\S]*?)\n## /.exec(
  readFileSync(join(ROOT, "README.md"), "utf8"),
)!;

test("the commands of the chapter lead from two keys to a published guide", {
  timeout: patience(90_000),
}, async () => {
  const [first = "", second = ""] = [...CHAPTER.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!);
  const folder = temporaryDirectory();
  // In a clone `npx readback` is this.
  writeFileSync(join(folder, "npx"), `#!/bin/sh\nshift\nexec node ${join(ROOT, "bin/readback.js")} "$@"\n`);
  chmodSync(join(folder, "npx"), 0o755);
  const typed = (block: string) => ["-c", `cd ${folder} && PATH=${folder}:$PATH\n${block}`];
  const served = Child.runBy("bash", typed(first), {
    ...FREE_PORTS,
    READBACK_TRANSCRIPTION_PROVIDER: "none",
  });
  const [line] = await served.printed(/^.*"event":"service_started".*$/m);
  const { http, relay } = JSON.parse(line) as { readonly http: number; readonly relay: number };
  const page = await fetch(`http://127.0.0.1:${http}/editor`, { headers: { connection: "close" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const told = Child.runBy("bash", typed(second.replaceAll(":8087/", `:${http}/`)), {});
  expect(await told.exited).toMatchObject({ code: 0 });
  expect(told.stderr).toBe("");
  const expected = [...second.matchAll(/ # (.+)$/gm)].map(([, says]) =>
    says!.split("…").map((part) => part.trim()),
  );
  expect(expected).toHaveLength(9);
  for (const part of expected.flat()) expect(told.stdout).toContain(part);
  expect(told.stdout.trim().split("\n").slice(-3)).toEqual(["0", "approved", "published"]);
  const environment = { READBACK_RELAY_PORT: `${relay}`, READBACK_DATA_DIR: join(folder, ".readback") };
  const led = Child.run(
    ["ask", "--network", "acme", "Walk me through resetting the cold store"],
    environment,
  );
  expect(await led.exited).toMatchObject({ code: 0 });
  expect(led.stdout).toContain("Open the cabinet.");
});
