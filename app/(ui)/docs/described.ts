import { connection } from "next/server";
import { requestLanguage } from "#app/request-language.ts";
import { latePart } from "#components/words/late-words.ts";
import { type DescribedApi, describeApi } from "#lib/contract/described-api.ts";
import { HOUR_S } from "#lib/time.ts";
import { sharedApp } from "#server/operations/next-app.ts";

/**
 * The description is cached for an hour, because describing all schemas takes longer than rendering a page.
 */
let made: { hour: number; api: DescribedApi } | undefined;

/** The API with examples around now, the words of the pages, and the operations for their list. */
export async function described() {
  // The page is rendered by the running server and not at build time, because the API's document is known
  // only there.
  await connection();
  const { apiDocument, context } = await sharedApp();
  const hour = Math.floor(context.weather.now() / HOUR_S);
  if (made?.hour !== hour) made = { hour, api: describeApi(apiDocument("", hour * HOUR_S)) };
  const { api } = made;
  return { api, words: await latePart(await requestLanguage(), "docs"), groups: listed(api) };
}

/** Reduces groups to what the list shows, so that nothing else is sent to the browser. */
function listed({ groups }: DescribedApi) {
  return groups.map(({ group, operations }) => ({
    group,
    operations: operations.map(({ slug, method, path }) => ({ slug, method, path })),
  }));
}
