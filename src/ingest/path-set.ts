/** Places in a tree: which paths lie at or below one of them. For paths of files and addresses of objects alike. */

export class PathSet {
  readonly #places = new Set<string>();

  constructor(places: Iterable<string>) {
    for (const place of places) this.#places.add(withoutSlash(place));
  }

  /** Whether `path` is one of the places or lies below one. Takes as many steps as the path has folders. */
  covers(path: string): boolean {
    if (this.#places.size === 0) return false;
    let place = withoutSlash(path);
    for (;;) {
      if (this.#places.has(place)) return true;
      const slash = place.lastIndexOf("/");
      if (slash < 0) return false;
      place = place.slice(0, slash);
    }
  }
}

/** The fewest of these paths that cover them all, in order. */
export function outermost(paths: Iterable<string>): string[] {
  const all = [...new Set(paths)].sort();
  const set = new Set(all.map(withoutSlash));
  return all.filter((path) => {
    const place = withoutSlash(path);
    const slash = place.lastIndexOf("/");
    return slash < 0 || !new PathSet(set).covers(place.slice(0, slash));
  });
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
