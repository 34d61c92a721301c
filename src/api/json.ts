/** JSON that a caller sent, parsed: nested no deeper than can be handled anywhere. */
import { isNestedDeeper, JSON_DEPTH_MAX } from "../lib/json-depth.js";
import type { Rejection } from "./rejection.js";

/** Throws what `fault` makes of the problem: "is not JSON", or "is nested deeper than … levels". */
export function jsonIn(text: string, fault: (problem: string) => Rejection): unknown {
  if (isNestedDeeper(text)) throw fault(TOO_DEEP);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw fault("is not JSON");
  }
}

/** What is wrong with JSON that `isNestedDeeper`. */
export const TOO_DEEP = `is nested deeper than ${JSON_DEPTH_MAX} levels`;
