/** Rows of tables as the readers of documents write them: "Room: Freezer; Set point: -20 °C". */

/** The first cell of a row, by which it is named aloud; undefined for what is no row. */
export function rowName(text: string): string | undefined {
  return ROW.exec(text)?.[1];
}

const ROW = /^[^:;]{1,60}: ([^;]{1,200})(?:; [^:;]{1,60}: [^;]{1,200})+$/;
