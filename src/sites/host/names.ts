/** Names of services, containers and packages, as the machine may be asked for them: never an option, path or command. */

const SERVICE = /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}$/;
const CONTAINER = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
const PACKAGE = /^[A-Za-z0-9][A-Za-z0-9+_.-]{0,127}$/;

/** `nginx`, `docker-compose@app`. */
export function isServiceName(name: string): boolean {
  return SERVICE.test(name);
}

/** A container's name or id. */
export function isContainerName(name: string): boolean {
  return CONTAINER.test(name);
}

/** `libstdc++6`. */
export function isPackageName(name: string): boolean {
  return PACKAGE.test(name);
}

/** By which other names a service or its process goes: redis and redis-server, ssh and sshd, dbus and dbus-daemon. */
export function serviceNames(name: string): readonly string[] {
  const stem = name.replace(/(?:-server|-daemon|\.service)$/, "");
  const bare = /[a-z]{2}d$/.test(stem) ? [stem.slice(0, -1)] : [];
  return [...new Set([name, stem, ...bare, `${stem}-server`, `${stem}-daemon`, `${stem}d`])];
}
