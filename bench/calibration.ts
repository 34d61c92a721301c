/**
 * Whether the confidence of a checked sentence is what it says: among sentences with 0.8, do eight of ten stand in
 * their passage? Expected calibration error on the half of the passages that the curves were not fitted on. And whether
 * that of a whole answer, or of a refusal, is how often it is right.
 */
import { claimConfidence } from "../src/grounding/confidence/confidence.js";
import { scoredAnswers } from "./support/answer-scores.js";
import { scoredClaims, weightedCalibrationError } from "./support/claim-scores.js";
import { calibrationError } from "./support/logistic.js";

export async function run(): Promise<void> {
  const claims = scoredClaims();
  console.log("Confidence of sentences, ClapNQ's gold sentences and their edits, as many of each by weight");
  for (const half of [0, 1] as const) {
    const own = claims.filter((claim) => claim.half === half);
    const error = weightedCalibrationError(own, claimConfidence);
    const constant = weightedCalibrationError(own, ({ verdict }) => (verdict === "supported" ? 0.95 : 0.3));
    const what = half === 0 ? "fitted on" : "held out";
    console.log(
      `half ${half}, ${what}: ${own.length} sentences, calibration error ${error.toFixed(3)}; ` +
        `${constant.toFixed(3)} of a constant for each verdict (0.95 and 0.3)`,
    );
  }
  const answers = await scoredAnswers();
  console.log("Confidence of the offline answerer's turns, ClapNQ's questions");
  for (const isRefusal of [false, true]) {
    const own = answers.filter((one) => one.isRefusal === isRefusal);
    const labels = own.map(({ label }) => label);
    const error = calibrationError(
      own.map(({ confidence }) => confidence),
      labels,
    );
    const right = labels.filter((label) => label === 1).length;
    console.log(
      `${own.length} ${isRefusal ? "refusals" : "answers"}, ${right} right: calibration error ${error.toFixed(3)}`,
    );
  }
  console.log("");
}
