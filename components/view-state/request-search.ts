/** Query of a request, as Next gives it to a page. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The query as one text, like `location.search` in the browser. */
export async function requestSearch(params: SearchParams): Promise<string> {
  const search = new URLSearchParams();
  for (const [name, given] of Object.entries(await params)) {
    for (const value of [given ?? []].flat()) search.append(name, value);
  }
  return search.toString();
}
