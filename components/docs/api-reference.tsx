import type { DescribedApi } from "#lib/contract/described-api.ts";
import type { DocsWords } from "#lib/words/en/docs.ts";
import { Operation } from "./operation.tsx";
import { SchemaTable } from "./schema-table.tsx";

interface Props {
  api: DescribedApi;
  /** Of what stands around the reference. The reference itself is in English, as the OpenAPI document is. */
  words: DocsWords;
}

/** The reference of the API, derived from its OpenAPI document. The server renders it. */
export function ApiReference({ api, words }: Props) {
  const { title, description, operations, schemas } = api;
  return (
    <main className="mx-auto w-full min-w-0 max-w-4xl px-4 py-8 leading-relaxed">
      <h1 className="text-2xl font-semibold">{words.title({ service: title })}</h1>
      <p className="mt-3" lang="en">
        {description}
      </p>
      <p className="mt-3">
        {words.calls({
          header: <code key="header">x-api-key</code>,
          openapi: (
            <a key="openapi" className="underline" href="/openapi.json">
              openapi.json
            </a>
          ),
          limits: (
            <a key="limits" className="whitespace-nowrap underline" href="/limits">
              {words.limits}
            </a>
          ),
        })}
      </p>
      <h2 className="mt-8 text-xl font-semibold">{words.operations}</h2>
      {operations.map((operation) => (
        <Operation key={`${operation.method} ${operation.path}`} operation={operation} words={words} />
      ))}
      <h2 className="mt-8 text-xl font-semibold">{words.bodies}</h2>
      {schemas.map((schema) => (
        <SchemaTable key={schema.name} schema={schema} words={words} />
      ))}
    </main>
  );
}
