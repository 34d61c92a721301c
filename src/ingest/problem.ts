/** Why a file did not become a document. The message completes "<file>: …" and says what to do where that helps. */
export class DocumentProblem extends Error {
  override readonly name = "DocumentProblem";
}
