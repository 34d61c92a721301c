/**
 * The conformance suite on the Elasticsearch engine: against a stand-in, or against a real server with
 * `ELASTICSEARCH_URL=… npm run test:elasticsearch`, such as the node that `npm run test:elasticsearch:local` starts.
 * Indices have names of their own and are removed afterwards.
 */
import { afterAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { systemRandom } from "../../src/lib/random.js";
import { NO_ABORT } from "../../src/retrieval/conformance.test-util.js";
import { describeEngine } from "../../src/retrieval/conformance-suite.test-util.js";
import { ElasticsearchClient } from "../../src/retrieval/elasticsearch/client.js";
import { openTestBed, testOptions } from "../../src/retrieval/elasticsearch/engine-under-test.test-util.js";
import { findInferenceEndpoint } from "../../src/retrieval/elasticsearch/inference.js";
import type { LegName } from "../../src/retrieval/engine.js";
import { openServer } from "./server.js";

const { address, close, standIn } = await openServer();
const legs: readonly LegName[] = (await hasModel())
  ? ["lexical", "semantic", "vector"]
  : ["lexical", "vector"];

afterAll(close);

describeEngine({
  name: standIn === undefined ? "Elasticsearch" : "Elasticsearch (stand-in)",
  legs,
  open: () => openTestBed(address, { legs }),
});

describe("the server", () => {
  it("was asked for nothing that it does not know", () => {
    // A real one has refused it.
    standIn?.verify();
    expect(legs).toContain("lexical");
  });
});

/** Whether the leg `semantic` can be tried: a node without a licence, and one of jars alone, has no model. */
async function hasModel(): Promise<boolean> {
  const options = testOptions(address);
  const client = new ElasticsearchClient(options, { clock: systemClock, random: systemRandom });
  try {
    return (await findInferenceEndpoint(client, options.inferenceId, NO_ABORT)).type === "there";
  } finally {
    await client.close();
  }
}
