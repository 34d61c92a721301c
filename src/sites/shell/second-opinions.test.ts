/**
 * What is taken for a read, seen by others: mvdan's parser finds no more commands in it, bash itself runs nothing but the
 * programs that stand in it and writes no file, and no change makes a read of a command that writes.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { print, parse as secondParse } from "sh-syntax";
import { forEachChild, parse, type SyntaxNode } from "unbash";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Random, seededRandom } from "../../lib/random.js";
import { judgeCommand } from "./judge.js";
import { loadSqlParser } from "./sql.js";

beforeAll(loadSqlParser);

const Rows = z.object({ cases: z.array(z.object({ command: z.string() })) });
const TABLES = ["pulse_intent_cases", "intent_gap_probes", "codex_known_safe_cases"];

const known = TABLES.flatMap((name) => {
  const file = new URL(`../../../test/conformance/${name}.json`, import.meta.url);
  return Rows.parse(JSON.parse(readFileSync(file, "utf8"))).cases.map(({ command }) => command);
});

/** Without paths, so that nothing outside its folder is touched where one is run. */
const HARMLESS = [
  "ls -la",
  "cat a | grep -i error | head -5",
  "df -h; uptime",
  "test -f a && echo yes || echo no",
  "sort -k2,2nr a | uniq -c",
  "find . -name '*.log' -size +1M",
  "awk '$5 > 80 {print $1}' a",
  "sed -n '1,5p' a",
  "timeout 5 tail -f a",
  "systemctl status nginx --no-pager",
  'docker ps --format "{{.Names}}"',
  "psql -c 'SELECT count(*) FROM t'",
  "redis-cli INFO",
  "ps aux 2>/dev/null | wc -l",
  "ls -t 2>&1 | head -1",
  "LC_ALL=C ls *.log",
  "(ls; pwd) | xargs -n1 echo",
  "kubectl get pods -A -o wide",
];

const MUTATING = [
  "rm -rf x",
  "touch x",
  "./x",
  "tee x",
  "kill 1",
  "x=1",
  "sh",
  "reboot",
  "echo a > x",
  "cp a b",
];

const METACHARACTERS = [
  ..."|&;<>()$`\\\"' \n*?[]{}!#~=%+-@,:.^/0ex",
  "&&",
  "||",
  ">>",
  "<<",
  "<<<",
  "$(",
  "${",
  "2>",
  "&>",
  "<(",
  "\t",
  "\r",
  "\u00a0",
  "\u2028",
  "$'",
  "[[",
  "((",
  ";;",
  " -o ",
  " --",
  " rm ",
  "\n rm x\n",
  "; }",
];

function mutated(command: string, random: Random): string {
  let text = command;
  for (let edits = 1 + Math.floor(random.fraction() * 3); edits > 0; edits--) {
    const at = Math.floor(random.fraction() * (text.length + 1));
    const put = METACHARACTERS[Math.floor(random.fraction() * METACHARACTERS.length)]!;
    const cut = random.fraction() < 0.3 ? 1 : 0;
    text = text.slice(0, at) + put + text.slice(at + cut);
  }
  return text;
}

function mutations(count: number, seed: number): string[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) => mutated(HARMLESS[i % HARMLESS.length]!, random));
}

/** Of each kind: the other parser takes 20 ms and more. */
const SECOND_OPINIONS = 30;

const isRead = (command: string) => judgeCommand(command).effect === "read";

describe("a command that writes", () => {
  it.each(["; ", "\n", " | ", " && ", " || ", " & ", " |& "])("is one after %j", (joint) => {
    const reads = [...HARMLESS, ...known].filter((command) => isRead(command) && !/[#\n]/.test(command));
    expect(reads.length).toBeGreaterThan(90);
    const accepted = reads
      .flatMap((command) => MUTATING.flatMap((write) => [command + joint + write, write + joint + command]))
      .filter(isRead);
    expect(accepted).toEqual([]);
  });

  it("is one in whatever it stands", () => {
    const wrap = [
      "$(@)",
      "`@`",
      "<(@)",
      "(@)",
      "{ @; }",
      "! @",
      "time @",
      "nice @",
      "timeout 5 @",
      "xargs @",
      "if ls; then @; fi",
      "command @",
      "eval @",
      "exec @",
      "env @",
      "sudo @",
      "sh -c '@'",
      "ssh web01 '@'",
      "ls <<E\n$(@)\nE",
      'echo "$(@)"',
      "find . -exec @ ;",
      "f() { @; }; f",
      "while @; do ls; done",
      "case a in a) @;; esac",
      "[[ -n $(@) ]]",
      "x=$(@) ls",
    ];
    const accepted = wrap
      .flatMap((around) => MUTATING.map((write) => around.replace("@", write)))
      .filter(isRead);
    expect(accepted).toEqual([]);
  });
});

describe("any text", () => {
  it("gets a verdict", () => {
    const random = seededRandom(11);
    for (let i = 0; i < 2_000; i++) {
      const units = Array.from({ length: 40 }, () => Math.floor(random.fraction() ** 4 * 0xffff));
      expect(judgeCommand(String.fromCharCode(...units)).why).not.toBe("");
    }
    for (const command of mutations(3_000, 12)) expect(judgeCommand(command).why).not.toBe("");
  });
});

function countCommands(text: string): number {
  let count = 0;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command" || node.type === "TestCommand") count++;
    forEachChild(node, visit);
  };
  visit(parse(text));
  return count;
}

/** The command as the other parser writes it, and how many statements it has there; `undefined` where it refuses. */
async function seenBySecond(text: string): Promise<{ written: string; statements: number } | undefined> {
  try {
    const { Stmts } = await secondParse(text);
    return { written: await print(text), statements: Stmts.length };
  } catch {
    return undefined;
  }
}

describe("the other parser", () => {
  it("writes down two commands as two", async () => {
    expect(await seenBySecond("ls;   rm x")).toEqual({ written: "ls\nrm x\n", statements: 2 });
  });

  it("finds no more commands in what only reads, and writes it down as what only reads", async () => {
    const sample = (commands: readonly string[]) =>
      [...new Set(commands)].filter(isRead).slice(0, SECOND_OPINIONS);
    const reads = [...sample(mutations(600, 21)), ...sample(known)];
    const disputed: string[] = [];
    for (const command of reads) {
      const second = await seenBySecond(command);
      const agrees =
        second !== undefined &&
        second.statements <= parse(command).commands.length &&
        countCommands(second.written) <= countCommands(command) &&
        isRead(second.written);
      if (!agrees) disputed.push(command);
    }
    expect(disputed).toEqual([]);
  }, 60_000);
});

describe("bash", () => {
  const folder = mkdtempSync(join(tmpdir(), "shell-reads-"));
  const [programs, work] = [join(folder, "programs"), join(folder, "work")];
  const log = join(folder, "log");

  beforeAll(() => {
    mkdirSync(programs);
    mkdirSync(work);
    // Every program that is called writes down its name, reads nothing and does nothing.
    const names = new Set(HARMLESS.flatMap((command) => command.match(/[a-z][a-z-]+/g) ?? []));
    for (const name of ["rm", "ex", "exe", "x", ...names]) {
      writeFileSync(join(programs, name), `#!/bin/sh\nprintf '%s\\n' "\${0##*/}" >> ${log}\n`);
      chmodSync(join(programs, name), 0o755);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("runs only what stands in what only reads, and writes nothing", () => {
    const reads = [...new Set([...HARMLESS, ...mutations(3_000, 31)])].filter(isRead).slice(0, 150);
    expect(reads.length).toBeGreaterThan(100);
    for (const command of reads) {
      writeFileSync(log, "");
      const script = `command_not_found_handle() { echo "$1" >> ${log}; }\n${command}\n`;
      try {
        execFileSync("/bin/bash", ["-c", script], {
          cwd: work,
          env: { PATH: programs },
          stdio: "ignore",
          timeout: 10_000,
        });
      } catch (error) {
        expect(error).toHaveProperty("status");
      }
      const ran = readFileSync(log, "utf8").split("\n").filter(Boolean);
      expect(ran.filter((name) => !isRead(`${name} ls`) && !isKnown(name))).toEqual([]);
      expect(readdirSync(work), command).toEqual([]);
    }
  }, 60_000);
});

/** Whether there is anything at all that the program may be called with. */
function isKnown(program: string): boolean {
  return !judgeCommand(`${program} --no-such-option`).why.startsWith("nothing is known");
}
