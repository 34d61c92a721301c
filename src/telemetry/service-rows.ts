/** The part of the table of metrics that is about the process itself, and about what it lets in. */
import { PRESSURE_GUARDS } from "../lib/pressure.js";
import { by, counter, gauge, on, type Rows } from "./instruments.js";
import { CONNECTION_REFUSALS, PORT_NAMES } from "./service-events.js";

const PRESSURES = PRESSURE_GUARDS.map((what) => ({ what }));
const ofPressure = on("pressure_changed", ({ isTripped }) => Number(isTripped), { what: "guard" });

export const SERVICE_ROWS: Rows = {
  readback_files_unusable_total: counter(
    "Times that files of keys, tokens or certificates could not be used, by the setting that names them",
    by("files_unusable", "what"),
  ),
  readback_files_stale: gauge(
    "1: what these files hold cannot be used, or is out of time, and what was read before is in force; 0: they were mended",
    by("files_unusable", "what"),
    on("files_reread", () => 0, { what: "what" }),
  ),
  readback_connections_refused_total: {
    ...counter(
      "Connections from addresses that are not listed, and failed TLS handshakes",
      by("connection_refused", "port", "reason"),
    ),
    fromStart: PORT_NAMES.flatMap((port) => CONNECTION_REFUSALS.map((reason) => ({ port, reason }))),
  },
  readback_faults_total: counter("Faults of the service itself", on("service_fault")),
  readback_loop_blocks_total: counter(
    "Times that the event loop stood still for over 200 ms",
    on("loop_blocked"),
  ),
  readback_pressure_high: {
    ...gauge("1: it is too high, and new turns are refused", ofPressure),
    fromStart: PRESSURES,
  },
  readback_pressure_rises_total: {
    ...counter("Times that it became too high", ofPressure),
    fromStart: PRESSURES,
  },
  // Not bounded as other labels: only networks that have an index of their own come here.
  readback_index_damaged: gauge(
    "1: the index of the network is damaged, and its searches are unavailable until it is built anew",
    by("index_damaged", "network"),
    on("index_replaced", () => 0, { network: "network" }),
  ),
  readback_search_processes_ended_total: counter(
    "Processes of the embedded engine that ended without having been told to",
    on("search_process_ended"),
  ),
  readback_host_parts_failed_total: counter(
    "Parts of what changes rarely about the machine that could not be collected",
    by("host_part_failed", "site", "part"),
  ),
  readback_data_exposed_total: counter(
    "Files and folders with documents that others may read, and whose permissions could not be changed",
    on("data_exposed"),
  ),
};
