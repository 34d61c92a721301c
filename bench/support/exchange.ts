/**
 * What is asked and answered in the benchmarks. Each turn has a tag, a made-up name, in its question and in the first
 * sentence of its answer, by which every process can tell which turn it sees. The documents have a sentence about each
 * name, since the gate lets no name through that only the question has.
 */

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const TAG_LETTERS = 6;

/** No factor in common with the number of names: neighbours have nothing in common that a search could confuse. */
const TAG_STRIDE = 104_729_317;

/** The tag of turn number `index`. */
export function tagOf(index: number): string {
  let letters = "";
  for (let rest = (index * TAG_STRIDE) % LETTERS.length ** TAG_LETTERS, i = 0; i < TAG_LETTERS; i++) {
    letters = LETTERS[rest % LETTERS.length]! + letters;
    rest = Math.floor(rest / LETTERS.length);
  }
  return `Tag${letters}`;
}

/** The tag of the last question in a text, or else its first tag: a model is given passages with many. */
export function tagIn(text: string): string | undefined {
  return text.match(/Tag[a-z]{6}(?= (?:what|where|how)\b)/g)?.at(-1) ?? text.match(/Tag[a-z]{6}/)?.[0];
}

export function question(tag: string): string {
  return `${tag} what has to be done before work on the machine begins?`;
}

/** The word with which every sentence but the first begins; it shows that the one before it is over. */
export const NEXT_SENTENCE = " Then";

const MACHINE_SENTENCE = "{tag} has to be switched off and locked by the person who works on it.";
const LATER_SENTENCE = `${NEXT_SENTENCE} the gauge reads zero and the lock is on.`;

/** What the model searches for. */
export const MACHINE_QUERY = "{tag}, who switches it off and locks it, and what the gauge reads then";

/** A document that bears out every sentence of the answers of turns 1 to `turns`. */
export function machineDocument(turns: number): string {
  return `---
title: Work on a machine
---
# Pressure and lockout before work on a machine

Before work on the machine begins, it has to be switched off and locked by the person who works on it. Then the gauge
reads zero and the lock is on.

# The machines one by one

${sentences(MACHINE_SENTENCE + LATER_SENTENCE, turns)}
`;
}

/** The same sentence about the names of turns 1 to `turns`, each in a paragraph of its own. */
function sentences(sentence: string, turns: number): string {
  return Array.from({ length: turns }, (_, i) => withTag(sentence, tagOf(i + 1))).join("\n\n");
}

/** `count` sentences, the first with the tag. */
export function answerText(tag: string, count: number): string {
  return withTag(MACHINE_SENTENCE, tag) + LATER_SENTENCE.repeat(count - 1);
}

/** What one turn of `first-audio` is about; `{tag}` stands for its tag. */
export interface Exchange {
  readonly question: string;
  /** What the model wants to search for. */
  readonly query: string;
  readonly answer: string;
  /** The first piece of the answer that a voice can say by itself, before anything is known of what follows. */
  readonly firstUnit: string;
}

export function withTag(text: string, tag: string): string {
  return text.replaceAll("{tag}", tag);
}

/** Words, blanks before them included, and marks: about what a model writes as one token. */
export function tokensOf(text: string): string[] {
  return text.split(/(?= )|(?=[,.])/);
}

const FIRST_OF_HALL = "{tag} stays locked at night, and its keys hang with the senior foreman on duty.";

/** A document that bears out the answers of `first-audio`, of turns 1 to `turns`: statements and steps. */
export function hallDocument(turns: number): string {
  return `---
title: The lathe hall
---
# Keys, switch and lamp of the lathe hall

The lathe hall stays locked at night, and its keys hang with the senior foreman on duty. The main switch of the lathe
hall is beside the north door, under a red cover without a lock. A green lamp above the door shows that power is off,
and a bell rings when it returns.

# Starting the conveyor

To start the conveyor:

1. Close the guard of the conveyor.
2. Turn the key to run.
3. Wait until the lamp is green.
4. Press the start button.

# The halls one by one

${sentences(FIRST_OF_HALL, turns)}
`;
}

const HALL_QUESTION = "{tag} where are the keys and the main switch of the lathe hall?";
const FIRST_CLAUSE = "{tag} stays locked at night,";

/** One sentence of 15 words. */
export const SHORT_EXCHANGE: Exchange = {
  question: HALL_QUESTION,
  query: HALL_QUESTION,
  answer: FIRST_OF_HALL,
  firstUnit: FIRST_CLAUSE,
};

/** Three sentences, 45 words. */
export const LONG_EXCHANGE: Exchange = {
  ...SHORT_EXCHANGE,
  answer:
    `${FIRST_OF_HALL} The main switch is beside the north door, under a red cover without a lock. ` +
    "A green lamp shows that power is off, and a bell rings when it returns.",
};

/** The same where the model searches for it in other words than the user's: what was searched ahead is of no use. */
export const REWORDED_EXCHANGE: Exchange = {
  ...LONG_EXCHANGE,
  query: "{tag}, keys of the lathe hall, with the foreman on duty at night",
};

/** Steps: nothing of them may be said before the last one has been checked. */
export const HELD_EXCHANGE: Exchange = {
  question: "{tag} how is the conveyor started?",
  query: "{tag} how is the conveyor started?",
  answer:
    "Close the guard of the conveyor. Turn the key to run. Wait until the lamp is green. Press the start button.",
  firstUnit:
    "Close the guard of the conveyor. Turn the key to run. Wait until the lamp is green. Press the start button.",
};
