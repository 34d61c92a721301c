/**
 * What is asked and answered in the benchmarks. Each turn has a tag, a made-up word, in its question and in the first
 * sentence of its answer, by which every process can tell which turn it sees.
 */

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const TAG_LETTERS = 6;

/** The tag of turn number `index`. */
export function tagOf(index: number): string {
  let letters = "";
  for (let rest = index, i = 0; i < TAG_LETTERS; i++, rest = Math.floor(rest / LETTERS.length))
    letters = LETTERS[rest % LETTERS.length]! + letters;
  return `Tag${letters}`;
}

/** The last tag in a text. */
export function tagIn(text: string): string | undefined {
  return text.match(/Tag[a-z]{6}/g)?.at(-1);
}

export function question(tag: string): string {
  return `${tag} what has to be done before work on the machine begins?`;
}

/** The word with which every sentence but the first begins; it shows that the one before it is over. */
export const NEXT_SENTENCE = " Then";

/** A document that bears out every sentence of the answers: nothing else is let through to a user. */
export const MACHINE_DOCUMENT = `---
title: Work on a machine
---
# Pressure and lockout before work on a machine

Before work on the machine begins, it has to be switched off and locked by the person who works on it. Then the gauge
reads zero and the lock is on.
`;

/** `sentences` sentences, the first with the tag, which may be named since the question names it. */
export function answerText(tag: string, sentences: number): string {
  const rest = `${NEXT_SENTENCE} the gauge reads zero and the lock is on.`;
  return `${tag} has to be switched off and locked by the person who works on it.${rest.repeat(sentences - 1)}`;
}
