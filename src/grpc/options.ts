/** Settings of the gRPC door, as the configuration file writes them. */
import { z } from "zod";
import { tlsSettings } from "../lib/tls-identity.js";

export const grpcOptions = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether the gRPC door is opened."),
  host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("Address of the gRPC door. `0.0.0.0`: all. Any but loopback needs `http.api_keys`."),
  port: z.int().min(0).max(65_535).default(50_051).describe("Port of the gRPC door. 0: any free one."),
  tls: tlsSettings,
});
