/** `/healthz`: the process works. `/readyz`: it can take a turn now; 503 with the reason otherwise. */
import { Router } from "express";

/** How long a readiness check may take. */
export const READY_CHECK_MS_MAX = 2_000;

/** Resolves when the service can answer, with how its parts are; rejects with the reason why it cannot. */
export type ReadyCheck = () => Promise<Readonly<Record<string, string>>>;

export function healthRoutes(ready: ReadyCheck): Router {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    try {
      response.json({ ...(await ready()), status: "ready" });
    } catch (error) {
      response
        .status(503)
        .json({ status: "not_ready", reason: error instanceof Error ? error.message : String(error) });
    }
  });
  return router;
}
