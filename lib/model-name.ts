/**
 * The name of a model without its grid and remarks, for tables and lines: `GFS 0.25°` is `GFS`, and
 * `DEMO-LATE v1 (synthetic)` is `DEMO-LATE`.
 *
 * @param title Model and resolution, as the manifest and the meta of an answer have it.
 */
export function shortModelName(title: string): string {
  return title.replace(/\s*\(.*\)$/, "").replace(/\s+(v\d+|\d+(\.\d+)?\s?(°|km))$/, "") || title;
}
