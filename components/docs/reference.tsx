import { Sentence } from "#components/words/sentence.tsx";
import type { DescribedApi, DescribedOperation, DescribedSchema } from "#lib/contract/described-api.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { Method } from "./operations-nav.tsx";
import { TryIt } from "./try-it.tsx";

interface OverviewProps {
  api: DescribedApi;
  /**
   * Words of the page around the reference. The reference itself is in English, as the OpenAPI document is.
   */
  words: Messages["docs"];
}

/** The rules for all operations, and the list of operations. It is rendered on the server. */
export function Overview({ api, words }: OverviewProps) {
  const { title, summary, guide, groups } = api;
  return (
    <main id="operation" className="docs-main" tabIndex={-1}>
      <div className="docs-text">
        <h1 className="docs-title">{words.title({ service: title })}</h1>
        <p lang="en">{summary}</p>
        <p className="mt-2">
          <Sentence
            message={words.calls}
            values={{
              header: <code className="docs-code">x-api-key</code>,
              openapi: (
                <a className="underline" href="/openapi.json">
                  openapi.json
                </a>
              ),
              limits: (
                <a className="whitespace-nowrap underline" href="/limits">
                  {words.limits}
                </a>
              ),
            }}
          />
        </p>
        {guide.map((part) => (
          <section key={part.title} lang="en">
            <h2 className="docs-heading">{part.title}</h2>
            {part.paragraphs.map((paragraph) => (
              <p key={paragraph} className="not-first-of-type:mt-2">
                <InlineCode text={paragraph} />
              </p>
            ))}
          </section>
        ))}
        <h2 className="docs-heading">{words.operations}</h2>
        {groups.map(({ group, operations }) => (
          <section key={group}>
            <h3 className="docs-group">{words.groups[group]}</h3>
            <ul className="docs-list" lang="en">
              {operations.map(({ slug, method, path, summary: what }) => (
                <li key={slug}>
                  <a href={`/docs/${slug}`}>
                    <Method name={method} /> <span className="docs-path underline">{path}</span>
                  </a>
                  <span>{what}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </main>
  );
}

interface OperationPageProps {
  api: DescribedApi;
  operation: DescribedOperation;
  /**
   * Words of the page around the reference. The reference itself is in English, as the OpenAPI document is.
   */
  words: Messages["docs"];
}

/**
 * The page of an operation. It is rendered on the server; only the form and the panels beside it are
 * interactive.
 */
export function OperationPage({ api, operation, words }: OperationPageProps) {
  const { method, path, summary, description, needsKey, openToVisitors } = operation;
  return (
    <main id="operation" className="docs-main docs-operation" tabIndex={-1}>
      <header className="flex flex-col gap-2.5 [grid-area:head]">
        <p className="docs-note">{words.groups[operation.group]}</p>
        <h1 className="docs-title" lang="en">
          {summary}
        </h1>
        <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 *:min-w-0 *:text-[0.9375rem]" lang="en">
          <Method name={method} /> <span className="docs-path">{path}</span>
        </p>
        {description ? (
          <p lang="en">
            <InlineCode text={description} />
          </p>
        ) : null}
        {needsKey ? null : <p>{words.noKey}</p>}
        {openToVisitors ? <p className="docs-note">{words.visitors}</p> : null}
      </header>
      <TryIt operation={operation} />
      <OperationReference operation={operation} schemas={api.schemas} words={words} />
    </main>
  );
}

interface ReferenceProps {
  operation: DescribedOperation;
  /** Schemas of the whole API. */
  schemas: readonly DescribedSchema[];
  words: Messages["docs"];
}

/** Fields, limits and replies of an operation. It is rendered on the server. */
function OperationReference({ operation, schemas, words }: ReferenceProps) {
  const { body, replies, rate, limits } = operation;
  const find = (name: string) => schemas.find((schema) => schema.name === name)!;
  const named = [...new Set(replies.flatMap((reply) => reply.schemas))];
  return (
    <div className="mt-6 min-w-0 border-t border-t-line [grid-area:reference]">
      {body ? (
        <section>
          <h2 className="docs-heading">
            {words.body} <span lang="en">{body.schema}</span>
          </h2>
          <SchemaTable schema={find(body.schema)} words={words} />
        </section>
      ) : null}
      {rate || limits ? (
        <section>
          <h2 className="docs-heading">{words.limitsHeading}</h2>
          {rate ? <p>{words.rate(rate)}</p> : null}
          <LimitList limits={limits ?? {}} />
        </section>
      ) : null}
      <section>
        <h2 className="docs-heading">{words.replies}</h2>
        <table className="docs-table">
          <thead>
            <tr>
              <th scope="col">{words.status}</th>
              <th scope="col">{words.meaning}</th>
            </tr>
          </thead>
          <tbody lang="en">
            {replies.map((reply) => (
              <tr key={reply.status}>
                <th scope="row" className="min-w-0">
                  {reply.status}
                </th>
                <td>
                  {reply.description}
                  {reply.schemas.map((name) => (
                    <span key={name}>
                      {" "}
                      <a className="font-mono text-[0.78125rem] underline" href={`#${name}`}>
                        {name}
                      </a>
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {named.map((name, index) => (
          <details
            key={name}
            id={name}
            className="docs-schema"
            open={index === 0 && find(name).fields.length < 60}
          >
            <summary>
              <span className="docs-path" lang="en">
                {name}
              </span>{" "}
              <span className="docs-note">{words.fields({ count: find(name).fields.length })}</span>
            </summary>
            <SchemaTable schema={find(name)} words={words} />
          </details>
        ))}
      </section>
    </div>
  );
}

/** Limits as in GET /limits, one per line. */
function LimitList({ limits }: { limits: Readonly<Record<string, unknown>> }) {
  const lines = linesOf(limits, "");
  if (lines.length === 0) return null;
  return (
    <dl className="max-w-120 font-mono text-[0.78125rem]" lang="en">
      {lines.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4 border-b border-b-line py-1.25">
          <dt className="wrap-anywhere">{name}</dt>
          <dd className="flex-none">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function linesOf(value: unknown, name: string): [name: string, value: string][] {
  if (typeof value !== "object" || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    linesOf(inner, name === "" ? key : `${name}.${key}`),
  );
}

interface SchemaTableProps {
  schema: DescribedSchema;
  words: Messages["docs"];
}

/** The fields of a body, one per row. */
function SchemaTable({ schema, words }: SchemaTableProps) {
  return (
    <section
      aria-label={schema.name}
      className="max-h-160 overflow-auto [scrollbar-width:thin] focus-visible:-outline-offset-3"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, also by keyboard
      tabIndex={0}
    >
      <table className="docs-table">
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.type}</th>
            <th scope="col">{words.rules}</th>
          </tr>
        </thead>
        <tbody>
          {schema.fields.map((field) => (
            <tr key={field.path}>
              <th scope="row" lang="en">
                {breakable(field.path)}
              </th>
              <td>
                <span lang="en">{field.type}</span>
                {field.required ? "" : words.optional}
              </td>
              <td lang="en">{[field.description, ...field.rules].filter(Boolean).join("; ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A path with a possible line break after each dot. */
const breakable = (path: string) => path.replaceAll(".", ".\u200b");

/** A text of the reference, with parts between backquotes shown as code. */
function InlineCode({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
      <code key={index} className="docs-code">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
