import { connection } from "next/server";
import { ApiReference } from "#components/docs/api-reference.tsx";
import { DocsScreen } from "#components/screen/docs-screen.tsx";
import { describeApi } from "#lib/contract/described-api.ts";
import { sharedApp } from "#server/operations/next-app.ts";
import { titleOf } from "../../page-title.ts";

export const generateMetadata = () => titleOf("docs");

/** The API reference, rendered from the OpenAPI document. */
export default async function DocsPage() {
  // Made by the running server and not at build time: only there is the API's document known.
  await connection();
  const { apiDocument } = await sharedApp();
  return (
    <DocsScreen>
      <ApiReference api={describeApi(apiDocument(""))} />
    </DocsScreen>
  );
}
