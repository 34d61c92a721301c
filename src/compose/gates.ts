/** What stands before each port, by the settings. Certificates are read again when their files change. */
import type { Config } from "../config/schema.js";
import type { Clock } from "../lib/clock.js";
import { PortGate, type PortGateOptions } from "../lib/port-gate.js";
import { TlsIdentity, type TlsSettings } from "../lib/tls-identity.js";
import type { WatchedFiles } from "../lib/watched-files.js";
import type { PortName, Telemetry } from "../telemetry/events.js";

export interface GatesDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly watched: WatchedFiles;
}

/** Throws an error for the operator where a certificate cannot be used. */
export function createGates(
  { grpc, http, metrics, relay }: Config,
  deps: GatesDeps,
): Record<PortName, PortGate> {
  const { clock, telemetry, watched } = deps;
  const identity = (name: string, settings: TlsSettings) => {
    if (settings.certFile === undefined) return undefined;
    const identity = new TlsIdentity(name, settings, clock);
    watched.add(identity);
    return identity;
  };
  const gate = (port: PortName, options: PortGateOptions) => {
    const tell: PortGateOptions["tell"] = (reason, remote) =>
      telemetry.emit({ type: "connection_refused", port, reason, remote });
    return new PortGate({ ...options, tell });
  };
  const web = identity("http.tls", http.tls);
  return {
    relay: gate("relay", { allow: relay.allow, tls: identity("relay.tls", relay.tls) }),
    http: gate("http", { tls: web }),
    kiosk: gate("kiosk", { tls: web }),
    grpc: gate("grpc", { tls: grpc.enabled ? identity("grpc.tls", grpc.tls) : undefined }),
    metrics: gate("metrics", { allow: metrics.allow }),
  };
}
