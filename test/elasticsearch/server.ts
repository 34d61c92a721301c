/**
 * The server that these tests run against: a real one where ELASTICSEARCH_URL names it (and ELASTICSEARCH_API_KEY, or a
 * user and a password in the address), else the stand-in.
 */
import type { ServerAddress } from "../../src/retrieval/elasticsearch/engine-under-test.test-util.js";
import { ElasticsearchServer } from "../support/elasticsearch/server.js";

export interface TestServer {
  readonly address: ServerAddress;
  /** `undefined`: a real server. */
  readonly standIn: ElasticsearchServer | undefined;
  close(): Promise<void>;
}

export async function openServer(): Promise<TestServer> {
  const { ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: apiKey } = process.env;
  if (url !== undefined && url !== "") {
    const address = { url, ...(apiKey === undefined || apiKey === "" ? {} : { apiKey }) };
    return { address, standIn: undefined, close: async () => {} };
  }
  const standIn = await ElasticsearchServer.start();
  return { address: { url: standIn.url, apiKey: standIn.apiKey }, standIn, close: () => standIn.close() };
}
