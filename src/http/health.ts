/** `/healthz`: the process works. `/readyz`: it can take a turn now; 503 with the reason otherwise. */
import { Router } from "express";
import { redactShapes } from "../lib/secrets.js";

/** How long a readiness check may take. */
export const READY_CHECK_MS_MAX = 2_000;

/** Resolves when the service can answer, with how its parts are; rejects with the reason why it cannot. */
export type ReadyCheck = () => Promise<Readonly<Record<string, string>>>;

/** `warnings`: what works on, but is to be looked after; names of settings. */
export function healthRoutes(ready: ReadyCheck, warnings: () => readonly string[] = () => []): Router {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    try {
      const parts = await ready();
      const unusable = warnings();
      response.json({ ...parts, status: "ready", ...(unusable.length > 0 && { unusable_files: unusable }) });
    } catch (error) {
      const reason = redactShapes(error instanceof Error ? error.message : String(error));
      response.status(503).json({ status: "not_ready", reason });
    }
  });
  return router;
}
