/** The part of the catalogue that is about the process itself, and about what it lets in and out. */
import type { Destination, TextKind } from "../domain/foreign-text.js";
import type { PressureChange } from "../lib/pressure.js";

/** The ports of the service. */
export const PORT_NAMES = ["relay", "http", "kiosk", "grpc", "metrics"] as const;
export type PortName = (typeof PORT_NAMES)[number];

export const CONNECTION_REFUSALS = ["address", "handshake"] as const;
export const RELAY_REFUSALS = ["connections_max", "connections_per_address_max", "shutdown"] as const;

export type ServiceEvent =
  | {
      readonly type: "service_started";
      /** Who answers and who speaks. */
      readonly engine: string;
      readonly speech: string;
      /** Who understands spoken questions; absent: nobody. */
      readonly recogniser?: string;
      readonly relay: number;
      readonly http: number;
      readonly metrics: number;
      /** Absent when the kiosks have no port of their own. */
      readonly kiosk?: number;
      /** Absent when that door is not opened. */
      readonly grpc?: number;
      /** What relays may claim to be. */
      readonly relays: string;
    }
  /** A connection came from an address that is not listed, or its TLS handshake failed. */
  | {
      readonly type: "connection_refused";
      readonly port: PortName;
      readonly reason: (typeof CONNECTION_REFUSALS)[number];
      readonly remote: string;
    }
  | {
      readonly type: "relay_refused";
      readonly remote: string;
      readonly reason: (typeof RELAY_REFUSALS)[number];
    }
  /** Files of keys, tokens or certificates were read again; `what`: the setting that names them. */
  | { readonly type: "files_reread"; readonly what: string }
  /** They could not be used, or what they hold is out of time: what was read before stays in force. */
  | { readonly type: "files_unusable"; readonly what: string; readonly error: string }
  | { readonly type: "service_stopping"; readonly chats: number }
  | { readonly type: "service_fault"; readonly where: string; readonly error: string }
  /** New turns are refused while a guard of the process is tripped. */
  | ({ readonly type: "pressure_changed" } & PressureChange)
  /** Nothing at all was handled for so long. */
  | { readonly type: "loop_blocked"; readonly ms: number }
  /** A text was looked at before it would have left. */
  | {
      readonly type: "guard_scanned";
      readonly what: TextKind;
      /** `turn`: nowhere yet; the local scanners looked at it as it came in. */
      readonly to: Destination | "turn";
      /** `failed`: it could not be scanned, and stays here; `unscanned`: it could not be, and leaves all the same. */
      readonly result: "allowed" | "refused" | "failed" | "unscanned";
      /** Who refused it; "" where nobody did. */
      readonly scanner: string;
      readonly error?: string;
      readonly ms: number;
    };
