/**
 * From a raw score to a probability: a rising curve through points that were fitted on labelled data. B. Zadrozny,
 * C. Elkan: "Transforming classifier scores into accurate multiclass probability estimates", 2002 (isotonic
 * regression); between the points the curve is a straight line, so that close scores get close probabilities.
 */

/** Points of the curve, rising in both coordinates. */
export type CalibrationCurve = readonly (readonly [score: number, probability: number])[];

/** The curve's value at `score`; beyond its ends, and for what is no number, that of the nearest or first end. */
export function calibrated(score: number, curve: CalibrationCurve): number {
  const [first, last] = [curve[0], curve.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a calibration curve has no points");
  if (!(score > first[0])) return first[1];
  if (score >= last[0]) return last[1];
  const next = curve.findIndex(([at]) => at > score);
  const [[fromScore, from], [toScore, to]] = [curve[next - 1]!, curve[next]!];
  return from + ((to - from) * (score - fromScore)) / (toScore - fromScore);
}
