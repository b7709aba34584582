import type { DescribedOperation } from "#lib/contract/described-api.ts";

/** Request and replies of an operation. */
export function Operation({ operation }: { operation: DescribedOperation }) {
  const { method, path, summary, description, needsKey, body, replies } = operation;
  return (
    <section className="mt-6 border-t pt-4">
      <h3 className="font-mono font-semibold">
        {method} {path}
      </h3>
      <p className="mt-1">
        {summary}. {description} {needsKey ? "" : "No key."}
      </p>
      {body ? (
        <p className="mt-1">
          Body: <SchemaLink name={body} />
        </p>
      ) : null}
      <ul className="mt-2">
        {replies.map((reply) => (
          <li key={reply.status}>
            <code>{reply.status}</code> {reply.description}
            {reply.schemas.map((name) => (
              <span key={name}>
                {" · "}
                <SchemaLink name={name} />
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function SchemaLink({ name }: { name: string }) {
  return (
    <a className="underline" href={`#${name}`}>
      {name}
    </a>
  );
}
