import { expect, it } from "vitest";
import { generateSchemas, renderSchemas } from "./generate.js";

/** Greatest size of the committed file, in bytes. */
const BYTES_MAX = 400_000;

it("has the schema of today's endpoints and today's client", async () => {
  const text = renderSchemas(generateSchemas());
  expect(Buffer.byteLength(text)).toBeLessThan(BYTES_MAX);
  await expect(text).toMatchFileSnapshot("golden/requests.json");
});
