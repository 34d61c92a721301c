import { describe, expect, it } from "vitest";
import { ConfigError, loadConfig } from "./load.js";

function errorOf(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("the configuration was taken");
}

describe("a port that others reach", () => {
  const KEYS = JSON.stringify([{ key: "a-key-0123456789" }]);
  const TOKENS = JSON.stringify([{ token: "a secret of sixteen or more" }]);
  const KIOSKS = JSON.stringify([{ token: "kiosk-token-0123456789", network: "acme", username: "kiosk-1" }]);
  const TLS = { READBACK_RELAY_TLS_CERT_FILE: "cert", READBACK_RELAY_TLS_KEY_FILE: "key" };

  it.each<[string, Record<string, string>, RegExp]>([
    [
      "relays without anything",
      { READBACK_RELAY_HOST: "10.0.0.9" },
      /relay\.host.*relay\.tokens.*relay\.allow/,
    ],
    ["relays on the private address", { READBACK_RELAY_HOST: "private" }, /relay\.host/],
    ["relays with TLS alone", { READBACK_RELAY_HOST: "10.0.0.9", ...TLS }, /relay\.host/],
    [
      "relays on all addresses with a list",
      { READBACK_RELAY_HOST: "0.0.0.0", READBACK_RELAY_ALLOW: "10.0.0.0/8" },
      /relay\.host/,
    ],
    ["metrics without a list", { READBACK_METRICS_HOST: "10.0.0.9" }, /metrics\.host.*metrics\.allow/],
    ["metrics on all", { READBACK_METRICS_HOST: "::", READBACK_METRICS_ALLOW: "private" }, /metrics\.host/],
    ["the API without keys", { READBACK_HTTP_HOST: "0.0.0.0" }, /http\.host.*http\.api_keys/],
    [
      "the API without keys, the kiosks elsewhere",
      { READBACK_HTTP_HOST: "0.0.0.0", READBACK_HTTP_KIOSKS: KIOSKS, READBACK_HTTP_KIOSK_PORT: "0" },
      /http\.host/,
    ],
    ["gRPC without keys", { READBACK_GRPC_HOST: "0.0.0.0" }, /grpc\.host.*http\.api_keys/],
  ])("is refused: %s", (_what, environment, told) => {
    expect(errorOf(environment)).toMatch(told);
  });

  it.each<[string, Record<string, string>]>([
    ["relays with tokens", { READBACK_RELAY_HOST: "0.0.0.0", READBACK_RELAY_TOKENS: TOKENS }],
    [
      "relays with a file of tokens",
      { READBACK_RELAY_HOST: "::", READBACK_RELAY_TOKENS_FILE: "tokens.json" },
    ],
    [
      "relays with certificates",
      { READBACK_RELAY_HOST: "0.0.0.0", ...TLS, READBACK_RELAY_TLS_CLIENT_CA_FILE: "ca" },
    ],
    ["relays as they are, listed", { READBACK_RELAY_HOST: "private", READBACK_RELAY_ALLOW: "private" }],
    [
      "Prometheus, listed",
      { READBACK_METRICS_HOST: "10.0.0.9", READBACK_METRICS_ALLOW: "10.0.0.7,fd00::/8" },
    ],
    ["the API with keys", { READBACK_HTTP_HOST: "::", READBACK_HTTP_API_KEYS: KEYS }],
    ["kiosks at the API's port", { READBACK_HTTP_HOST: "0.0.0.0", READBACK_HTTP_KIOSKS: KIOSKS }],
    ["gRPC with keys", { READBACK_GRPC_HOST: "0.0.0.0", READBACK_HTTP_API_KEYS: KEYS }],
    ["gRPC that is not opened", { READBACK_GRPC_HOST: "0.0.0.0", READBACK_GRPC_ENABLED: "false" }],
  ])("is taken: %s", (_what, environment) => {
    expect(() => loadConfig(environment)).not.toThrow();
  });

  it.each([
    [
      "a list with what is no address",
      { READBACK_RELAY_ALLOW: "10.0.0.0/33" },
      /relay\.allow.*10\.0\.0\.0\/8/,
    ],
    [
      "a certificate without its key",
      { READBACK_HTTP_TLS_CERT_FILE: "cert" },
      /http\.tls.*key_file together/,
    ],
    ["authorities alone", { READBACK_GRPC_TLS_CLIENT_CA_FILE: "ca" }, /grpc\.tls.*with them only/],
  ])("needs settings that fit: %s", (_what, environment, told) => {
    expect(errorOf(environment)).toMatch(told);
  });
});
