import type { DescribedOperation, DescribedParameter, Source } from "#lib/contract/described-api.ts";

const nameOf = (slug: string, pointer: string) => `docs ${slug} ${pointer}`;

/** What a JSON pointer finds; of an address its last part, such as the token in that of a calendar. */
export function pointedId(reply: unknown, pointer: string): string | undefined {
  const found = pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((at, name) => Object(at)[name], reply);
  return typeof found === "string" ? found.slice(found.lastIndexOf("/") + 1) : undefined;
}

/** Keeps the ids of a reply until the tab is closed: the forms of other operations have them in their paths. */
export function noteIds({ slug, gives }: Pick<DescribedOperation, "slug" | "gives">, reply: unknown): void {
  for (const pointer of gives) {
    const id = pointedId(reply, pointer);
    if (id) sessionStorage.setItem(nameOf(slug, pointer), id);
  }
}

/** The id that a reply in this tab has brought. */
export function knownId({ source }: DescribedParameter): string | undefined {
  for (const { slug, pointer } of source.toReversed()) {
    const id = sessionStorage.getItem(nameOf(slug, pointer));
    if (id) return id;
  }
  return undefined;
}

/** Forgets ids of what was deleted. */
export function forgetIds(ids: readonly string[]): void {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith("docs ") && ids.includes(sessionStorage.getItem(name)!))
      sessionStorage.removeItem(name);
}

/** A list that can be read as it is. */
export function listOf({ source }: DescribedParameter): Source | undefined {
  return source.find(({ method, path }) => method === "GET" && !path.includes("{"));
}
