/**
 * The conformance suite on the Elasticsearch engine: against a stand-in that behaves as Elasticsearch does, or against
 * a real cluster with `ELASTICSEARCH_URL=… npm run test:elasticsearch` (and `ELASTICSEARCH_API_KEY`, or a user and a
 * password in the address). Indices have names of their own and are removed afterwards.
 */
import { afterAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { systemRandom } from "../../src/lib/random.js";
import { describeEngine } from "../../src/retrieval/conformance-suite.test-util.js";
import { ElasticsearchClient, ElasticsearchProblem } from "../../src/retrieval/elasticsearch/client.js";
import {
  openTestBed,
  type ServerAddress,
  testOptions,
} from "../../src/retrieval/elasticsearch/engine-under-test.test-util.js";
import type { LegName } from "../../src/retrieval/engine.js";
import { ElasticsearchServer } from "../support/elasticsearch/server.js";

const { ELASTICSEARCH_URL: url, ELASTICSEARCH_API_KEY: apiKey } = process.env;

const standIn = url === undefined || url === "" ? await ElasticsearchServer.start() : undefined;
const server: ServerAddress =
  standIn === undefined
    ? { url: url!, ...(apiKey === undefined || apiKey === "" ? {} : { apiKey }) }
    : { url: standIn.url, apiKey: standIn.apiKey };
const missingEndpoint = standIn === undefined ? await missingInferenceEndpoint(server) : undefined;
const legs: readonly LegName[] =
  missingEndpoint === undefined ? ["lexical", "semantic", "vector"] : ["lexical", "vector"];

afterAll(() => standIn?.close());

describeEngine({
  name: standIn === undefined ? "Elasticsearch" : "Elasticsearch (stand-in)",
  legs,
  open: () => openTestBed(server, { legs }),
});

describe("the server", () => {
  it("was asked nothing that the published API does not allow", ({ skip }) => {
    if (standIn === undefined) skip("this is a real cluster, which refuses such requests itself");
    expect(standIn!.requests.length).toBeGreaterThan(0);
    standIn!.verify();
  });

  it("has the leg `semantic`", ({ skip }) => {
    if (missingEndpoint !== undefined) skip(missingEndpoint);
    expect(legs).toContain("semantic");
  });
});

/** Why the leg `semantic` cannot be tried on this cluster. */
async function missingInferenceEndpoint(address: ServerAddress): Promise<string | undefined> {
  const options = testOptions(address);
  const client = new ElasticsearchClient(options, { clock: systemClock, random: systemRandom });
  const { signal } = new AbortController();
  try {
    const { inferenceId } = options;
    await client.call(
      "look up the inference endpoint",
      (api, call) => api.inference.get({ inference_id: inferenceId }, call),
      signal,
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ElasticsearchProblem) || error.kind !== "missing") throw error;
    return `the cluster has no inference endpoint ${options.inferenceId}`;
  } finally {
    await client.close();
  }
}
