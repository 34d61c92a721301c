// The image's health check: asks the service in the same container, at whatever address the settings give it. It asks at
// the port of the metrics, which strangers do not reach.
// Exit code 0: healthy; 1: not, with the reason on standard error.
import { loadConfig } from "../dist/src/config/load.js";
import { boundHost } from "../dist/src/lib/private-address.js";

const TIMEOUT_MS = 4_000;
const { host, port } = loadConfig().config.metrics;
const address = boundHost(host);
const url = `http://${address.includes(":") ? `[${address}]` : address}:${port}/healthz`;
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`status ${response.status}`);
} catch (error) {
  console.error(`${url}: ${error.message}`);
  process.exitCode = 1;
}
