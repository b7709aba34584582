import type { DescribedApi } from "#lib/contract/described-api.ts";
import { Operation } from "./operation.tsx";
import { SchemaTable } from "./schema-table.tsx";

/** The reference of the API, derived from its OpenAPI document. */
export function ApiReference({ api }: { api: DescribedApi }) {
  const { title, description, operations, schemas } = api;
  return (
    <main className="mx-auto w-full min-w-0 max-w-4xl px-4 py-8 leading-relaxed">
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
        lists every limit in force.
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
