/** The part of an id that is derived from the content. A damaged run is succeeded by `-2`, so that no reader mixes both. */
export function contentOf(id: string): string {
  return id.replace(/-\d+$/, "");
}

/** The id of another run with the same content. */
export function nextOf(id: string): string {
  return `${contentOf(id)}-${Number(/-(\d+)$/.exec(id)?.[1] ?? 1) + 1}`;
}
