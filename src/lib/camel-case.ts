/** Wire and configuration files write `timeout_ms`, TypeScript writes `timeoutMs`: the bridge between the two. */
import type { Secret } from "./secret.js";

type CamelCaseName<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCaseName<Tail>>}`
  : S;

/** `T` with the names of its fixed properties in camel case, deeply; keys of records (`string`) stay as they are. */
export type CamelCased<T> = T extends readonly (infer Item)[]
  ? readonly CamelCased<Item>[]
  : T extends Secret
    ? T
    : T extends object
      ? {
          readonly [K in keyof T as K extends string
            ? string extends K
              ? K
              : CamelCaseName<K>
            : K]: CamelCased<T[K]>;
        }
      : T;

/** The name `timeout_ms` as `timeoutMs`. */
export function camelCaseName(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
