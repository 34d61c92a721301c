/** Whether the cluster has the model that the leg `semantic` ranks with, and what to do where it has not. */
import { type ElasticsearchClient, ElasticsearchProblem } from "./client.js";

/** `unknown`: the cluster could not be asked, or does not let us ask; `reason` says which. */
export type InferenceEndpoint =
  | { readonly type: "there"; readonly what: string }
  | { readonly type: "absent" }
  | { readonly type: "unknown"; readonly reason: string };

/** Looks once. Rejects with the signal's reason. */
export async function findInferenceEndpoint(
  client: ElasticsearchClient,
  inferenceId: string,
  signal: AbortSignal,
): Promise<InferenceEndpoint> {
  try {
    const { endpoints } = await client.call(
      "look up the inference endpoint",
      (api, call) => api.inference.get({ inference_id: inferenceId }, call),
      signal,
      { attemptsMax: 1 },
    );
    const [endpoint] = endpoints ?? []; // Whatever answers at the address.
    return endpoint === undefined
      ? { type: "absent" }
      : { type: "there", what: `${endpoint.task_type}, ${endpoint.service}` };
  } catch (error) {
    if (!(error instanceof ElasticsearchProblem)) throw error;
    // `refused`: a server without inference knows no such address.
    if (error.kind === "missing" || error.kind === "refused") return { type: "absent" };
    return { type: "unknown", reason: error.message };
  }
}

/** What Elasticsearch takes as the id of an endpoint that somebody makes; those with a dot in front are its own. */
const OWN_ID = /^[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?$/;

/** How to do without the endpoint, and how to make it under a name that the server takes. */
export function endpointAdvice(inferenceId: string): string {
  const id = OWN_ID.test(inferenceId) ? inferenceId : "readback-elser";
  const rename =
    id === inferenceId
      ? ""
      : `, then set \`elasticsearch.inference_id\` to ${id} and run \`readback index rebuild\``;
  const body =
    '{"service": "elasticsearch", "service_settings": {"model_id": ".elser_model_2", "num_threads": 1, ' +
    '"adaptive_allocations": {"enabled": true, "min_number_of_allocations": 1}}}';
  return (
    "the leg `semantic` needs it; leave the leg out of `retrieval.legs`, or make an endpoint: " +
    `PUT _inference/sparse_embedding/${id} ${body}${rename}`
  );
}
