/** What a file of the index holds is not what this release wrote there. */
export class IndexDamaged extends Error {
  override readonly name = "IndexDamaged";
}
