/** Keeps secrets out of what people read: printed settings, error texts, log lines. */

export const REDACTED = "[redacted]";

/** Secrets that give themselves away by their shape, wherever they turn up; what follows group 1 is the secret. */
const SHAPES: readonly RegExp[] = [
  /\b()sk-[\w-]{8,}/g, // Keys of OpenAI and of those that imitate it.
  /\b(Bearer\s+)[\w.~+/-]{8,}=*/g,
  /\b(authorization"?\s*[:=]\s*"?(?:basic\s+|bearer\s+)?)[^\s",]+/gi,
  /(\/\/)[^/?#\s"]+(?=@)/g, // User and password in an address.
  /([?&][\w.-]*(?:key|token|secret|password|signature)=)[^&#\s"]+/gi,
];

/** Takes the given secrets, and whatever looks like one, out of a text. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets.flatMap(spellings))].sort((a, b) => b.length - a.length);
  return (text) => redactShapes(known.reduce((kept, secret) => kept.replaceAll(secret, REDACTED), text));
}

/** Takes whatever looks like a secret out of a text. */
export function redactShapes(text: string): string {
  return SHAPES.reduce((kept, shape) => kept.replace(shape, `$1${REDACTED}`), text);
}

/** The user and the password in an address, if it has any: as they are written, and as they are meant. */
export function credentialsOf(address: string): readonly string[] {
  const { username, password } = URL.canParse(address) ? new URL(address) : { username: "", password: "" };
  return [username, password].filter((part) => part !== "").flatMap((part) => [part, decoded(part)]);
}

/** A secret as it is, and as it stands in JSON. */
function spellings(secret: string): readonly string[] {
  return secret === "" ? [] : [secret, JSON.stringify(secret).slice(1, -1)];
}

/** A part of an address with its `%` escapes resolved; as it is where it has no valid ones. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A per cent sign that is no escape.
  }
}
