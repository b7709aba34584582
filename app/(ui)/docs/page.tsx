import { titleOf } from "#app/page-title.ts";
import { Overview } from "#components/docs/reference.tsx";
import { DocsScreen } from "#components/screen/docs-screen.tsx";
import { described } from "./described.ts";

export const generateMetadata = () => titleOf("docs");

/** The rules for all operations of the API, rendered from the OpenAPI document. */
export default async function DocsPage() {
  const { api, words, groups } = await described();
  return (
    <DocsScreen groups={groups}>
      <Overview api={api} words={words} />
    </DocsScreen>
  );
}
