/**
 * How well confidence tells right answers from wrong ones. Answers are taken from the surest on: coverage is the share
 * of all questions that are answered so far, risk the share of wrong ones among these. AURC is the mean of the risks at
 * every answer. Y. Geifman, G. Uziel, R. El-Yaniv: "Bias-Reduced Uncertainty Estimation for Deep Neural Classifiers",
 * ICLR 2019.
 */

export interface ConfidentAnswer {
  /** 0–1. */
  readonly confidence: number;
  readonly correct: boolean;
}

export interface RiskPoint {
  /** Answers at least this sure are given. */
  readonly confidence: number;
  readonly coverage: number;
  readonly risk: number;
}

export interface RiskCoverage {
  /** Lower is better; `undefined` without an answer. */
  readonly aurc: number | undefined;
  /** One for each confidence that occurs, the highest first. */
  readonly points: readonly RiskPoint[];
}

/** `questions`: how many were asked in all, those included that were refused. */
export function riskCoverage(answers: readonly ConfidentAnswer[], questions: number): RiskCoverage {
  const points: RiskPoint[] = [];
  let [given, wrong, riskSum] = [0, 0, 0];
  for (const [confidence, group] of groupsByConfidence(answers)) {
    const wrongHere = group.filter(({ correct }) => !correct).length;
    // Equally sure answers come in no order: each is counted as wrong to the share of them that is.
    for (let i = 1; i <= group.length; i++) riskSum += (wrong + (wrongHere * i) / group.length) / (given + i);
    given += group.length;
    wrong += wrongHere;
    points.push({ confidence, coverage: given / questions, risk: wrong / given });
  }
  return { aurc: given === 0 ? undefined : riskSum / given, points };
}

function groupsByConfidence(answers: readonly ConfidentAnswer[]): [number, ConfidentAnswer[]][] {
  const groups = new Map<number, ConfidentAnswer[]>();
  for (const answer of answers) {
    const group = groups.get(answer.confidence);
    if (group === undefined) groups.set(answer.confidence, [answer]);
    else group.push(answer);
  }
  return [...groups].sort(([a], [b]) => b - a);
}
