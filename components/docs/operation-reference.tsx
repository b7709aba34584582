import type { DescribedOperation, DescribedSchema } from "#lib/contract/described-api.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { SchemaTable } from "./schema-table.tsx";

interface Props {
  operation: DescribedOperation;
  /** All of the API. */
  schemas: readonly DescribedSchema[];
  words: Messages["docs"];
}

/** Fields, limits and replies of an operation. The server renders it. */
export function OperationReference({ operation, schemas, words }: Props) {
  const { body, replies, rate, limits } = operation;
  const find = (name: string) => schemas.find((schema) => schema.name === name)!;
  const named = [...new Set(replies.flatMap((reply) => reply.schemas))];
  return (
    <div className="docs-reference">
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
        <table className="docs-table docs-replies">
          <thead>
            <tr>
              <th scope="col">{words.status}</th>
              <th scope="col">{words.meaning}</th>
            </tr>
          </thead>
          <tbody lang="en">
            {replies.map((reply) => (
              <tr key={reply.status}>
                <th scope="row">{reply.status}</th>
                <td>
                  {reply.description}
                  {reply.schemas.map((name) => (
                    <span key={name}>
                      {" "}
                      <a href={`#${name}`}>{name}</a>
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

/** Limits as GET /limits has them, one a line. */
function LimitList({ limits }: { limits: Readonly<Record<string, unknown>> }) {
  const lines = linesOf(limits, "");
  if (lines.length === 0) return null;
  return (
    <dl className="docs-limits" lang="en">
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
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
