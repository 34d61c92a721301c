/**
 * Refusals in OpenAI's shape, whatever shape they came in: old releases of vLLM put the message at the top, FastAPI
 * under `detail`, and the SDK would drop both. What they say is only ever read to find the field that they are about.
 */

const STATUSES: readonly number[] = [400, 422];

/** The same `fetch`, but for the bodies of refusals that are not `{error: {…}}`. */
export function withErrorsInShape(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!STATUSES.includes(response.status)) return response;
    const { status, headers } = response;
    const text = await response.text();
    // A line feed that is still escaped would stick to the word that it comes before.
    const message = text.replaceAll("\\n", "\n");
    const body = hasErrorObject(text) ? text : JSON.stringify({ error: { message } });
    return new Response(body, { status, headers });
  };
}

function hasErrorObject(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && "error" in body && typeof body.error === "object";
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
