/** The plant's server on the pipes of its process. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createPlantServer } from "./plant-server.js";

serveStdio(createPlantServer);
