/** Everything that can be wanted by a command, with the arguments that it takes. Its words are in `locales/commands/`. */

/** Sentences that are all that was said. Where two are as near, the one that stands first here is meant. */
export const INTENTS = {
  slower: [],
  repeat: [],
  source: [],
  /** Who the assistant is, what it can do, whether it hears: it introduces itself. */
  introduce: [],
  /** What the user has with the platform that calls: quota, invoices. */
  account: [],
  /** Which guides there are. */
  guide_list: [],
  /** To be led through a procedure step by step. */
  guide_start: ["procedure", "about"],
  guide_write: ["procedure"],
  guide_move: ["move", "step", "procedure"],
  stop: [],
  /** Of the words for `stop`, those that drop a question back. */
  never_mind: [],
  yes: [],
  no: [],
  continue: [],
  greeting: [],
  thanks: [],
  goodbye: [],
  shorter: [],
  meaning: [],
  translate: ["language"],
  rephrase: [],
  operate: ["action", "target", "quantity", "value", "unit"],
  /** `weighed`: against what is allowed, as in "is it too warm". */
  check: ["target", "quantity", "state", "weighed"],
  /** A second person asks for what waits for them. */
  request: ["value", "target"],
  /** The same as before, or the same with another thing. */
  again: ["topic"],
  /** A question to the documents. */
  ask: ["topic"],
  /** Ends in what the user has before them: "fix this". Tells no route. */
  about_this: ["language"],
  /** Begins as somebody does who wants a text explained: tells no route either. */
  explain: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Words that tell something about a message wherever they stand in it. */
export const PHRASES = {
  translate: ["language"],
  shorter: [],
  meaning: [],
  /** Only the turns before explain it. */
  refers_back: [],
  /** The text that the user has before them, and figures that came with the message. */
  attached_text: [],
  attached_data: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * What can be said to a guide that leads somebody, besides what is an intent already: "next", "back", "repeat", "yes". It
 * is understood while a guide leads, and means nothing at any other time.
 */
export const RUN_ORDERS = {
  values: [],
  left: [],
  why: [],
  options: [],
  failed: [],
  /** What was read back is not what was said. */
  wrong: [],
  note: ["text"],
  skip: ["reason"],
  not_apply: ["reason"],
  pause: [],
  resume: [],
  jump: ["number", "step"],
  quit: [],
  help: [],
  commands: [],
  hand_over: ["to"],
  timer: ["value", "unit"],
  /** A second person confirms a hold point of somebody. */
  second: ["who"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * What whoever may write guides can say to one that is written down: `begin` and `publish` at any time, all else while it is. A
 * number and a text behind it say something of one step. `review` is for a second person.
 */
export const BUILD_ORDERS = {
  begin: ["name"],
  publish: ["name"],
  review: ["name"],
  done: [],
  none: [],
  read_back: [],
  undo: [],
  leave: [],
  about_step: ["number", "text"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type RunOrder = keyof typeof RUN_ORDERS;
export type BuildOrder = keyof typeof BUILD_ORDERS;
export type Intent = keyof typeof INTENTS;
export type Phrase = keyof typeof PHRASES;
