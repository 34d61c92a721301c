/** Questions that ask for the same in other words, counted together: what to write a document about first. */
import type { Outcome } from "../domain/answer.js";
import { analyze } from "../lib/english-analyzer.js";
import { pause } from "../lib/pause.js";
import { wordSet } from "../lib/word-set.js";
import type { UnansweredQuestion } from "../store/unanswered-log.js";

export interface UnansweredTopic {
  /** As it was asked most often, the latest of those that were asked as often. */
  readonly question: string;
  readonly count: number;
  readonly lastAskedMs: number;
  /** Of the last time. */
  readonly outcome: Outcome;
}

/** Share of its words that two questions have in common which ask for the same. */
const SAME_WORDS_MIN = 0.6;

/** Topics that one more question is compared with for each of its words: the newest that have it. */
const COMPARED_PER_WORD_MAX = 50;

/** Words in which people ask, whatever they ask for: the analyzer's own list leaves them. */
const ASKING = wordSet(
  "what when where which who whom whose why how do does did can could may might must shall should would will i you we me " +
    "my our your have has had am get tell pleas know need want say",
);

interface TopicTally {
  readonly words: ReadonlySet<string>;
  readonly wordings: Map<string, number>;
  count: number;
  last: UnansweredQuestion;
}

/** `asked`: of one network, oldest first. The most frequent topics come first, of those the latest. */
export async function unansweredTopics(
  asked: readonly UnansweredQuestion[],
): Promise<readonly UnansweredTopic[]> {
  const topics: TopicTally[] = [];
  const byWord = new Map<string, TopicTally[]>();
  for (const entry of asked) {
    const words = wordsOf(entry.question);
    const near = [...words].flatMap((word) => byWord.get(word) ?? []);
    const known = near.find((topic) => isSame(words, topic.words));
    const topic = known ?? { words, wordings: new Map<string, number>(), count: 0, last: entry };
    if (known === undefined) {
      topics.push(topic);
      for (const word of words)
        byWord.set(word, [...(byWord.get(word)?.slice(1 - COMPARED_PER_WORD_MAX) ?? []), topic]);
    }
    topic.count += 1;
    topic.last = entry;
    topic.wordings.set(entry.question, (topic.wordings.get(entry.question) ?? 0) + 1);
    await pause();
  }
  return topics
    .map(({ count, last, wordings }) => ({
      question: [...wordings].reduce((usual, one) => (one[1] >= usual[1] ? one : usual))[0],
      count,
      lastAskedMs: last.atMs,
      outcome: last.outcome,
    }))
    .sort((a, b) => b.count - a.count || b.lastAskedMs - a.lastAskedMs);
}

/** A question of nothing but such words is its own subject; one without any word is like all others of these. */
function wordsOf(question: string): ReadonlySet<string> {
  const all = analyze(question);
  const telling = all.filter((word) => !ASKING.has(word));
  return new Set([telling, all, [""]].find(({ length }) => length > 0));
}

/** Numbers and codes must be the same: press 4 is not press 5. */
function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const common = [...one].filter((word) => other.has(word));
  const differing = [...one, ...other].filter((word) => !one.has(word) || !other.has(word));
  if (differing.some((word) => /\d/.test(word))) return false;
  return common.length >= SAME_WORDS_MIN * (common.length + differing.length);
}

/** A topic as the API and `readback unanswered --json` tell it. */
export function unansweredBody({ question, count, lastAskedMs, outcome }: UnansweredTopic): object {
  return { question, count, last_asked: new Date(lastAskedMs).toISOString(), outcome };
}
