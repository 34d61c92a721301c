/** Endpoints of the server itself: who it is, health, inference endpoints. */
import { resourceNotFound } from "./errors.js";
import { endpoint, ok, type Route } from "./router.js";

export const SYSTEM_ROUTES: readonly Route[] = [
  ...endpoint("info", ["GET /"], (_request, { version }) =>
    ok({
      cluster_name: "stand-in",
      version: { number: version, build_flavor: "default" },
      tagline: "You Know, for Search",
    }),
  ),
  ...endpoint("ping", ["HEAD /"], () => ok(null)),
  ...endpoint("cluster.health", ["GET /_cluster/health/{index}"], ({ params }, cluster) => {
    cluster.resolve(params.index!);
    return ok({ cluster_name: "stand-in", status: "green", timed_out: false });
  }),
  ...endpoint("inference.get", ["GET /_inference/{inference_id}"], ({ params }, cluster) => {
    const found = cluster.inference.get(params.inference_id!);
    if (found === undefined) throw resourceNotFound(`Inference endpoint not found [${params.inference_id}]`);
    return ok({ endpoints: [found] });
  }),
];
