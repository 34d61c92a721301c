import { expect, it } from "vitest";
import { generateSchemas } from "./generate.js";
import { generatePublished } from "./published.js";
import { renderSchemas } from "./request-schemas.js";

/** Greatest size of a committed file, in bytes. */
const BYTES_MAX = 400_000;

it("has the schema of today's endpoints and today's client", async () => {
  const text = renderSchemas(generateSchemas());
  expect(Buffer.byteLength(text)).toBeLessThan(BYTES_MAX);
  await expect(text).toMatchFileSnapshot("golden/requests.json");
});

it("has the published schema of today's endpoints", async () => {
  const text = renderSchemas(generatePublished());
  expect(Buffer.byteLength(text)).toBeLessThan(BYTES_MAX);
  await expect(text).toMatchFileSnapshot("golden/published.json");
});
