/** A task: the one that a link to the page of tasks names, or whose points the map shows. */
export const taskParameter = "task";

/** Search parameters of the view, in components/view-state/view-url.ts. The API key is never one of them. */
export const viewParameters = [
  "c",
  "z",
  "l",
  "o",
  "cmp",
  "t",
  "p",
  "runs",
  "u",
  "tz",
  "th",
  "proj",
  "storm",
  "tide",
  "datum",
  "film",
  "sp",
  "inv",
  "danger",
  "ship",
  "plan",
  "tab",
  taskParameter,
] as const;

/**
 * A query with only what pages read, in one order and each name once (the first value counts, as in the browser): other
 * queries show the same page.
 *
 * @param query Without the question mark.
 */
export function pageQuery(query: string): string {
  const given = new URLSearchParams(query);
  const read = new URLSearchParams();
  for (const name of viewParameters) {
    const value = given.get(name);
    if (value !== null) read.set(name, value);
  }
  return read.toString();
}
