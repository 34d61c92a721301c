/** What the tests of the stand-in share: the real client, and the errors that it throws. */
import { Client, errors } from "@elastic/elasticsearch";
import type { ElasticsearchServer } from "./server.js";

/** A client that tries each request once, so that a test sees every answer. */
export function connect(server: ElasticsearchServer): Client {
  return new Client({ node: server.url, auth: { apiKey: server.apiKey }, maxRetries: 0 });
}

export interface Refusal {
  readonly status: number | undefined;
  readonly type: string;
  readonly reason: string;
}

/** The error that the server answers a call with; throws when there is none. */
export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const [thrown] = await Promise.allSettled([call]);
  if (thrown.status === "fulfilled") throw new Error("the call was not refused");
  if (!(thrown.reason instanceof errors.ResponseError)) throw thrown.reason;
  const { body } = thrown.reason.meta as { body: { error: { type: string; reason: string } } };
  return { status: thrown.reason.statusCode, type: body.error.type, reason: body.error.reason };
}
