import type { Metadata } from "next";
import { connection } from "next/server";
import { ApiReference } from "#components/docs/api-reference.tsx";
import { DocsScreen } from "#components/screen/docs-screen.tsx";
import { describeApi } from "#lib/contract/described-api.ts";
import { sharedApp } from "#server/operations/next-app.ts";

export const metadata: Metadata = { title: "API – Open MetOcean" };

/** The API reference, rendered from the OpenAPI document. */
export default async function DocsPage() {
  // Rendered for each request: the nonce of the content security policy is new each time.
  await connection();
  const { apiDocument } = await sharedApp();
  return (
    <DocsScreen>
      <ApiReference api={describeApi(apiDocument(""))} />
    </DocsScreen>
  );
}
