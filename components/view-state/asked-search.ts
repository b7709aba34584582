/** Query of a request, as Next hands it to a page. */
export type AskedParams = Promise<Record<string, string | string[] | undefined>>;

/** The query in one text, as `location.search` has it in the browser. */
export async function askedSearch(params: AskedParams): Promise<string> {
  const search = new URLSearchParams();
  for (const [name, given] of Object.entries(await params)) {
    for (const value of [given ?? []].flat()) search.append(name, value);
  }
  return search.toString();
}
