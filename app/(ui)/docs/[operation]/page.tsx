import { notFound } from "next/navigation";
import { described } from "#app/(ui)/docs/described.ts";
import { OperationPage } from "#components/docs/reference.tsx";
import { DocsScreen } from "#components/screen/docs-screen.tsx";
import { SERVICE_NAME } from "#lib/service-name.ts";

interface Props {
  params: Promise<{ operation: string }>;
}

/** The operation that the address names, with the API and the words of the page. */
async function asked({ params }: Props) {
  const { operation: slug } = await params;
  const page = await described();
  return { ...page, operation: page.api.operations.find((operation) => operation.slug === slug) };
}

export async function generateMetadata(props: Props) {
  const { operation } = await asked(props);
  return operation ? { title: `${operation.method} ${operation.path} – API – ${SERVICE_NAME}` } : {};
}

/** One operation of the API, rendered from the OpenAPI document. */
export default async function DocsOperationPage(props: Props) {
  const { api, words, groups, operation } = await asked(props);
  if (!operation) notFound();
  return (
    <DocsScreen groups={groups} current={operation.slug}>
      <OperationPage api={api} operation={operation} words={words} />
    </DocsScreen>
  );
}
