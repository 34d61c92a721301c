/** Turns the sentences of an answer, as they are told, into pieces that put together are exactly the answer's text. */

export class AnswerPieces {
  #blank = "";

  /** What `text` adds; blanks at its end wait for what follows them. Empty: nothing yet. */
  next(text: string): string {
    const words = text.trimEnd();
    if (words === "") {
      this.#blank += text;
      return "";
    }
    const piece = this.#blank + words;
    this.#blank = text.slice(words.length);
    return piece;
  }
}
