/** `/metrics`, for Prometheus. */
import { Router } from "express";
import type { Metrics } from "../telemetry/metrics.js";

export function metricsRoutes(metrics: Metrics): Router {
  const router = Router();
  router.get("/metrics", async (_request, response) => {
    const { contentType, text } = await metrics.scrape();
    response.set("content-type", contentType).send(text);
  });
  return router;
}
