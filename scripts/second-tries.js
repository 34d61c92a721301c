// A reporter for vitest that names each test that failed and passed at its second try, so that a test which comes to
// depend on that is seen, and why.
export default class SecondTries {
  #names = [];

  onTestCaseResult(test) {
    if (!test.diagnostic()?.flaky) return;
    const [first] = test.result().errors ?? [];
    this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}\n${first?.message ?? ""}`);
  }

  onTestRunEnd() {
    for (const name of this.#names) console.log(`passed at its second try: ${name}`);
  }
}
