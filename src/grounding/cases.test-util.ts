/** Reads the tables of cases in `fixtures/`: their form is explained at the top of `cases-plant.txt`. */
import { readFileSync } from "node:fs";
import type { EvidenceText } from "./evidence.js";

export interface SentenceCase {
  readonly passage: EvidenceText;
  readonly question: string;
  readonly expected: "supported" | "contradicted" | "unsupported" | "not supported";
  readonly sentence: string;
  /** Known to be judged wrongly: the letter has an exclamation mark behind it. */
  readonly gap: boolean;
}

const VERDICTS = { S: "supported", C: "contradicted", U: "unsupported", N: "not supported" } as const;

export function readCases(name: string): SentenceCase[] {
  const text = readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");
  return text
    .split(/^# /m)
    .slice(1)
    .flatMap((section) => {
      const [head, ...rest] = section.split("\n");
      const [source, title, heading] = head!.split(" | ");
      const [body, table] = rest.join("\n").split("\n--\n");
      const passage = {
        type: "passage",
        source: source!,
        title: title!,
        headings: [heading!],
        text: body!,
      } as const;
      let question = "";
      const cases: SentenceCase[] = [];
      for (const line of table!.split("\n")) {
        const [letter, gap] = [line.slice(0, 1), line[1] === "!"];
        const sentence = line.slice(gap ? 3 : 2);
        if (letter === "Q") question = sentence;
        else if (letter in VERDICTS)
          cases.push({
            passage,
            question,
            sentence,
            gap,
            expected: VERDICTS[letter as keyof typeof VERDICTS],
          });
      }
      return cases;
    });
}
