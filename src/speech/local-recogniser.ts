/**
 * The recogniser that Debian has: pocketsphinx, for English, without a key or a network. It is rough: of four words it
 * gets about one wrong, so its transcript is for trying things out and for where there is nothing else. One process per
 * question, a few at once.
 */
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Utterance } from "../domain/utterance.js";
import type { Clock } from "../lib/clock.js";
import { Deadline, DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import { OutputTooLarge, type ProgramEnd, ProgramMissing, runProgram } from "../lib/run-program.js";
import { Slots, SlotsFull } from "../lib/slots.js";
import {
  type HeardWord,
  RecognitionFailure,
  type RecognitionResult,
  type SpeechHints,
  type SpeechToText,
} from "./speech-to-text.js";
import { decoded } from "./voice-packet.js";

export interface LocalRecogniserOptions {
  readonly localCommand: string;
  readonly localModelDir: string;
  /** For one question, from the end of its wait in the line. */
  readonly localTimeoutMs: number;
  readonly localConcurrencyMax: number;
  readonly localQueueLengthMax: number;
}

/** What its acoustic model was trained with. */
const SAMPLE_RATE_HZ = 16_000;
/** Longer questions are refused. */
const QUESTION_MS_MAX = 120_000;
const OUTPUT_BYTES_MAX = 65_536;
/** Without arguments the program tells its options and ends. */
const PROBE_MS_MAX = 5_000;

export class LocalRecogniser implements SpeechToText {
  readonly name = "pocketsphinx (rough, English only)";
  readonly #slots: Slots;
  readonly #closing = new AbortController();

  private constructor(
    private readonly clock: Clock,
    private readonly options: LocalRecogniserOptions,
  ) {
    this.#slots = new Slots(options.localConcurrencyMax, options.localQueueLengthMax);
  }

  /** `undefined` where the program or its model is not installed. */
  static async find(
    clock: Clock,
    options: LocalRecogniserOptions,
    signal: AbortSignal,
  ): Promise<LocalRecogniser | undefined> {
    const found = await isInstalled(clock, options, signal);
    return found ? new LocalRecogniser(clock, options) : undefined;
  }

  async recognise(utterance: Utterance, hints: SpeechHints, signal: AbortSignal): Promise<RecognitionResult> {
    if (!/^en(?:-|$)/i.test(hints.language ?? "en")) {
      throw new RecognitionFailure("unavailable", "the local recogniser understands English only");
    }
    const until = AbortSignal.any([signal, this.#closing.signal]);
    const pcm = await wholePcm(utterance, until);
    if (pcm.length === 0) return { type: "nothing", reason: "too_short" };
    try {
      const { text, words } = await this.#slots.run(until, () => this.#transcribed(pcm, until));
      return text === ""
        ? { type: "nothing", reason: "unintelligible" }
        : { type: "words", text, language: "en", ...(words.length === 0 ? {} : { words }) };
    } catch (error) {
      until.throwIfAborted();
      throw failureOf(error);
    }
  }

  /** Nothing to prepare: the system keeps the model's files in memory after the first question. */
  async warm(): Promise<void> {}

  /** Stops the processes that still work. */
  async close(): Promise<void> {
    this.#closing.abort(new RecognitionFailure("unavailable", "the local recogniser is closed"));
  }

  async #transcribed(pcm: Uint8Array, until: AbortSignal): Promise<Transcribed> {
    const folder = await mkdtemp(join(tmpdir(), "readback-question-"));
    try {
      const file = join(folder, "question.raw");
      await writeFile(file, pcm, { mode: 0o600 });
      const args = ["-infile", file, ...modelArguments(this.options)];
      const { exitCode, output } = await this.#run(args, until);
      if (exitCode !== 0) throw new RecognitionFailure("unavailable", stopped(exitCode));
      return transcribed(output);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Settles when the process is gone. */
  async #run(args: readonly string[], until: AbortSignal): Promise<ProgramEnd> {
    const { localTimeoutMs, localCommand } = this.options;
    const deadline = new Deadline(this.clock, "the local recogniser", localTimeoutMs, until);
    try {
      return await runProgram(localCommand, args, OUTPUT_BYTES_MAX, deadline.signal);
    } finally {
      deadline.dispose();
    }
  }
}

function stopped(exitCode: number | undefined): string {
  const how = exitCode === undefined ? "was killed" : `ends with exit code ${exitCode}`;
  return `the local recogniser ${how}; check transcription.local_model_dir`;
}

async function isInstalled(
  clock: Clock,
  options: LocalRecogniserOptions,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await Promise.all(modelFiles(options).map((file) => access(file)));
    await withDeadline(clock, "the local recogniser", PROBE_MS_MAX, signal, (within) =>
      runProgram(options.localCommand, [], OUTPUT_BYTES_MAX, within),
    );
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (isFileError(error) || error instanceof ProgramMissing || error instanceof DeadlineExceeded)
      return false;
    throw error;
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function modelFiles({ localModelDir }: LocalRecogniserOptions): readonly [string, string, string] {
  return [
    join(localModelDir, "en-us"),
    join(localModelDir, "en-us.lm.bin"),
    join(localModelDir, "cmudict-en-us.dict"),
  ];
}

function modelArguments(options: LocalRecogniserOptions): string[] {
  const [acoustic, language, dictionary] = modelFiles(options);
  return ["-hmm", acoustic, "-lm", language, "-dict", dictionary, "-time", "yes", "-logfn", "/dev/null"];
}

/** The whole utterance as mono PCM, decoded as it comes in. */
async function wholePcm(utterance: Utterance, signal: AbortSignal): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const pcm of decoded(utterance, SAMPLE_RATE_HZ, signal)) {
    if ((parts.length + 1) * utterance.shape.packetMs > QUESTION_MS_MAX) {
      throw new RecognitionFailure("unavailable", `the question is longer than ${QUESTION_MS_MAX} ms`);
    }
    parts.push(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength));
  }
  return Buffer.concat(parts);
}

interface Transcribed {
  readonly text: string;
  readonly words: readonly HeardWord[];
}

/** A word, when it was said, from and to in seconds, and how probable it is. */
const TIMED_WORD = /^(\S+) [\d.]+ [\d.]+ ([\d.]+)$/;

/** One line per stretch of speech, and behind it one for each of its words. */
function transcribed(output: string): Transcribed {
  const stretches: string[] = [];
  const words: HeardWord[] = [];
  for (const line of output.split("\n")) {
    const timed = TIMED_WORD.exec(line.trim());
    if (timed === null) stretches.push(line);
    const text = plain(timed?.[1] ?? "");
    if (text !== "") words.push({ text, probability: Math.min(1, Number(timed![2])) });
  }
  return { text: plain(stretches.join(" ")), words };
}

/** `read(2)` is a second pronunciation, `<sil>` and `[NOISE]` are no words. */
function plain(text: string): string {
  return text
    .replace(/\(\d+\)|<[^<>\s]*>|\[[^[\]\s]*\]|\+\+[^+\s]*\+\+/g, " ")
    .trim()
    .replace(/\s+/g, " ");
}

function failureOf(error: unknown): unknown {
  if (error instanceof RecognitionFailure) return error;
  if (error instanceof SlotsFull)
    return new RecognitionFailure(
      "unavailable",
      `too many questions for the local recogniser: ${error.message}`,
    );
  const isOurs =
    error instanceof DeadlineExceeded || error instanceof ProgramMissing || error instanceof OutputTooLarge;
  return isOurs ? new RecognitionFailure("unavailable", error.message) : error;
}
