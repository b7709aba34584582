import type { Metadata } from "next";
import { connection } from "next/server";
import { ApiReference } from "#components/docs/api-reference.tsx";
import { DocsScreen } from "#components/screen/docs-screen.tsx";
import { describedApi } from "#lib/contract/described-api.ts";

export const metadata: Metadata = { title: "API – Open MetOcean" };

export default async function DocsPage() {
  // Rendered for each request: the nonce of the content security policy is new each time.
  await connection();
  return (
    <DocsScreen>
      <ApiReference api={describedApi()} />
    </DocsScreen>
  );
}
