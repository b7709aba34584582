import { connection } from "next/server";
import { ApiReference } from "#components/docs/api-reference.tsx";
import { DocsScreen } from "#components/screen/docs-screen.tsx";
import { latePart } from "#components/words/late-words.ts";
import { describeApi } from "#lib/contract/described-api.ts";
import { sharedApp } from "#server/operations/next-app.ts";
import { titleOf } from "../../page-title.ts";
import { requestLanguage } from "../../request-language.ts";

export const generateMetadata = () => titleOf("docs");

/** The API reference, rendered from the OpenAPI document. */
export default async function DocsPage() {
  // Made by the running server and not at build time: only there is the API's document known.
  await connection();
  const { apiDocument } = await sharedApp();
  const docs = await latePart(await requestLanguage(), "docs");
  return (
    <DocsScreen>
      <ApiReference api={describeApi(apiDocument(""))} words={docs} />
    </DocsScreen>
  );
}
