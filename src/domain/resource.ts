/** A thing of a site that can be asked about by name: a pump, a printer, a container, a service of the machine. */
import type { DocumentAccess } from "./passage.js";

export interface Resource {
  /** Unique among all sites: `{site}/{kind}/{name in the site}`, such as `plant/pump/p2`. Never said. */
  readonly id: string;
  /** Name of the site, as configured. */
  readonly site: string;
  /** What it is, in one word of the field, such as `pump` or `container`. */
  readonly kind: string;
  /** What people call it; the first is how it is said back: "pump two". */
  readonly names: readonly [string, ...string[]];
  /** Where it is, as people call the place: "hall two". */
  readonly area?: string | undefined;
  /** Id of the resource that it is part of, or runs on. */
  readonly parent?: string | undefined;
  /** What a tool takes for its target argument. */
  readonly address: string;
  /** How paths inside it are called on its parent: bind mounts of a container. */
  readonly paths: readonly PathMapping[];
  /** What may be read of it or done to it, such as `status` or `restart`; absent: everything. */
  readonly allowed?: readonly string[] | undefined;
  /** Whatever is done to it takes a second person. */
  readonly lifeSafety?: boolean;
  /** Nothing is done to it, whoever asks. */
  readonly lockedOut?: boolean;
  /** Who may know of it: the one rule, `mayRead` in `retrieval/access.ts`. */
  readonly access: DocumentAccess;
}

export interface PathMapping {
  readonly inside: string;
  readonly outside: string;
}
