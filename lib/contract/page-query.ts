/** Id of a task: the tasks page opens it, and the map shows its points. */
export const taskParameter = "task";

/** Query parameters of the view, in components/view-state/view-url.ts. The API key is never one of them. */
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
  "port",
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
 * A query reduced to the parameters that pages read, sorted, each name once (the first value counts, as in
 * the browser). Queries with the same result show the same page.
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
