/**
 * The third layer: a multinomial logistic regression on hashed text, small enough for every turn. Its probabilities
 * are calibrated by one temperature (C. Guo et al.: "On Calibration of Modern Neural Networks", ICML 2017).
 */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { shippedPath } from "../lib/shipped-files.js";
import { BUCKETS, FEATURES_VERSION, type Features, featuresOf } from "./features.js";
import { utterance } from "./normalized-message.js";

export interface RouteGuess {
  readonly route: string;
  /** 0–1, calibrated. */
  readonly confidence: number;
}

/** What a model file holds. */
export interface ClassifierModel {
  readonly routes: readonly string[];
  /** By bucket, then by route: what each feature speaks for. */
  readonly weights: Float32Array;
  readonly bias: Float32Array;
  readonly temperature: number;
  /** Hashes of the utterances that it was trained on, ascending: a comparison leaves them out. */
  readonly trainedOn: Uint32Array;
}

export class RouteClassifier {
  constructor(readonly model: ClassifierModel) {}

  /** Every route with its probability, the best first. `core` as `utterance` makes it. */
  guesses(core: string): readonly RouteGuess[] {
    const probabilities = softmax(this.scores(featuresOf(core)), this.model.temperature);
    return this.model.routes
      .map((route, i) => ({ route, confidence: probabilities[i]! }))
      .sort((a, b) => b.confidence - a.confidence);
  }

  /** Whether this message, or one that reads the same, was among those it learned from. */
  knows(message: string): boolean {
    return this.model.trainedOn.includes(textHash(message));
  }

  scores({ buckets, values }: Features): Float64Array {
    const { weights, bias } = this.model;
    const scores = Float64Array.from(bias);
    const routes = scores.length;
    for (let i = 0; i < buckets.length; i++) {
      const from = buckets[i]! * routes;
      for (let route = 0; route < routes; route++) scores[route]! += values[i]! * weights[from + route]!;
    }
    return scores;
  }
}

export function softmax(scores: ArrayLike<number>, temperature: number): Float64Array {
  const scaled = Float64Array.from(scores, (score) => score / temperature);
  const highest = Math.max(...scaled);
  let sum = 0;
  for (let i = 0; i < scaled.length; i++) {
    scaled[i] = Math.exp(scaled[i]! - highest);
    sum += scaled[i]!;
  }
  return scaled.map((value) => value / sum);
}

/** The same for messages that read the same; it decides what is held out of training too. */
export function textHash(message: string): number {
  let value = 0x811c9dc5;
  for (const character of utterance(message).text) {
    value = Math.imul(value ^ character.codePointAt(0)!, 0x01000193);
  }
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}

/** The classifier that comes with the service. */
export const CLASSIFIER_FILE = shippedPath("models/routes.json");

/** A classifier's file is missing or no classifier of this release; the message says what to do. */
export class ClassifierUnusable extends Error {
  override readonly name = "ClassifierUnusable";
}

/** Rejects with `ClassifierUnusable`. */
export async function loadClassifier(path: string = CLASSIFIER_FILE): Promise<RouteClassifier> {
  try {
    return new RouteClassifier(parseModel(await readFile(path, "utf8")));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String((error as Error).message);
    const remedy = "Train one with `readback routes train`, or correct routing.classifier_file.";
    throw new ClassifierUnusable(`${path} is no classifier that can be used: ${reason}. ${remedy}`, {
      cause: error,
    });
  }
}

const ROUTES_MAX = 64;
const WEIGHT_STEPS = 127;

const bytes = z.base64().transform((text) => Buffer.from(text, "base64"));
const fileSchema = z
  .strictObject({
    format: z.literal("readback-routes-1"),
    features: z.literal(FEATURES_VERSION),
    routes: z.array(z.string().min(1)).min(2).max(ROUTES_MAX),
    temperature: z.number().positive(),
    /** What a step of the weights is worth. */
    scale: z.number().positive(),
    bias: z.array(z.number()),
    /** Base64 of one signed byte each, by bucket and route. */
    weights: bytes,
    /** Base64 of little-endian 32-bit numbers. */
    trained_on: bytes,
  })
  .superRefine(({ routes, bias, weights, trained_on }, context) => {
    const complain = (message: string) => context.addIssue({ code: "custom", message });
    if (new Set(routes).size < routes.length) complain("a route is named twice");
    if (bias.length !== routes.length) complain(`${bias.length} values of bias for ${routes.length} routes`);
    if (weights.length !== routes.length * BUCKETS)
      complain(`${weights.length} weights; the file is cut off`);
    if (trained_on.length % Uint32Array.BYTES_PER_ELEMENT !== 0) complain("trained_on is cut off");
  });

export function parseModel(text: string): ClassifierModel {
  const { routes, temperature, scale, bias, weights, trained_on } = fileSchema.parse(JSON.parse(text));
  const hashes = Array.from({ length: trained_on.length / 4 }, (_, i) => trained_on.readUInt32LE(i * 4));
  return {
    routes,
    temperature,
    bias: Float32Array.from(bias),
    weights: Float32Array.from(new Int8Array(weights), (step) => step * scale),
    trainedOn: Uint32Array.from(hashes),
  };
}

/** The model as a file: weights in steps of one byte, which is what `parseModel` reads back. */
export function printModel({ routes, temperature, bias, weights, trainedOn }: ClassifierModel): string {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const scale = largest === 0 ? 1 : largest / WEIGHT_STEPS;
  const steps = Int8Array.from(weights, (weight) => Math.round(weight / scale));
  const hashes = Buffer.alloc(trainedOn.length * 4);
  for (const [i, value] of trainedOn.entries()) hashes.writeUInt32LE(value, i * 4);
  const file = {
    format: "readback-routes-1",
    features: FEATURES_VERSION,
    routes,
    temperature,
    scale,
    bias: Array.from(bias),
    weights: Buffer.from(steps.buffer).toString("base64"),
    trained_on: hashes.toString("base64"),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}
