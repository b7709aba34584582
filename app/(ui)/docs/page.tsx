import type { Metadata } from "next";
import { connection } from "next/server";
import { Operation } from "#components/docs/operation.tsx";
import { SchemaTable } from "#components/docs/schema-table.tsx";
import { describeApi } from "#lib/contract/described-api.ts";
import { sharedApp } from "#server/operations/next-app.ts";

export const metadata: Metadata = { title: "API – Open MetOcean" };

/** The API reference, rendered from the OpenAPI document. */
export default async function DocsPage() {
  // Rendered for each request: the nonce of the content security policy is new each time.
  await connection();
  const { apiDocument } = await sharedApp();
  const { title, description, operations, schemas } = describeApi(apiDocument(""));
  return (
    <main className="mx-auto max-w-4xl px-4 py-8 leading-relaxed">
      <h1 className="text-2xl font-semibold">{title}: API</h1>
      <p className="mt-3">{description}</p>
      <p className="mt-3">
        Every call but the open ones carries an API key in the header <code>x-api-key</code>. Bodies are JSON
        in UTF-8.{" "}
        <a className="underline" href="/openapi.json">
          openapi.json
        </a>{" "}
        is this page for machines;{" "}
        <a className="underline" href="/limits">
          limits
        </a>{" "}
        are in force as they stand there.
      </p>
      <h2 className="mt-8 text-xl font-semibold">Operations</h2>
      {operations.map((operation) => (
        <Operation key={`${operation.method} ${operation.path}`} operation={operation} />
      ))}
      <h2 className="mt-8 text-xl font-semibold">Bodies</h2>
      {schemas.map((schema) => (
        <SchemaTable key={schema.name} schema={schema} />
      ))}
    </main>
  );
}
