/** Waits of tests whose length does not depend on what is tested, for machines of any speed. */

const FACTOR = Number(process.env.READBACK_TEST_WAIT_FACTOR ?? 1);

/** `ms`, times the factor of this machine (READBACK_TEST_WAIT_FACTOR). */
export function patience(ms: number): number {
  return ms * FACTOR;
}
