// A reporter for vitest that names each test that failed and passed at its second try, so that a test which comes to
// depend on that is seen.
export default class SecondTries {
  #names = [];

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}`);
  }

  onTestRunEnd() {
    for (const name of this.#names) console.log(`passed at its second try: ${name}`);
  }
}
