/** The containers of this machine, as Docker or Podman lists them. */
import { SiteFailure } from "../port.js";
import type { Machine } from "./machine.js";
import { isContainerName } from "./names.js";

const ENGINES = ["docker", "podman"];
const FORMAT = "{{.ID}}\t{{.Names}}\t{{.Image}}\t{{.State}}\t{{.Status}}";
const CONTAINERS_MAX = 500;
const ID_CHARS = 12;

/** Rejects with `NOT_FOUND` where there is no engine: whether containers run is then not known. */
export async function containers(machine: Machine): Promise<object> {
  let failure = new SiteFailure("NOT_FOUND", "there is no container engine on this machine");
  for (const engine of ENGINES) {
    try {
      const text = await machine.run(engine, ["ps", "--all", "--no-trunc", "--format", FORMAT]);
      return listed(engine, text);
    } catch (error) {
      if (!(error instanceof SiteFailure)) throw error;
      if (error.code !== "NOT_FOUND")
        failure = new SiteFailure("UNAVAILABLE", `${engine} does not answer`, { cause: error });
    }
  }
  throw failure;
}

function listed(engine: string, text: string): object {
  const rows = text.split("\n").flatMap((line) => {
    const [id = "", name = "", image = "", status = "", detail = ""] = line.split("\t");
    return isContainerName(name) && isContainerName(id)
      ? [{ name, id: id.slice(0, ID_CHARS), image, status, detail }]
      : [];
  });
  return {
    engine,
    container_count: rows.length,
    running_count: rows.filter(({ status }) => status === "running").length,
    containers: rows.slice(0, CONTAINERS_MAX),
    truncated: rows.length > CONTAINERS_MAX,
  };
}
