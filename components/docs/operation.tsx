import type { DescribedOperation } from "#lib/contract/described-api.ts";
import type { DocsWords } from "#lib/words/en/docs.ts";

interface Props {
  operation: DescribedOperation;
  words: DocsWords;
}

/** Request and replies of an operation. */
export function Operation({ operation, words }: Props) {
  const { method, path, summary, description, needsKey, body, replies } = operation;
  return (
    <section className="mt-6 border-t pt-4">
      <h3 className="font-mono font-semibold">
        {method} {path}
      </h3>
      <p className="mt-1">
        <span lang="en">
          {summary}. {description}
        </span>{" "}
        {needsKey ? "" : words.noKey}
      </p>
      {body ? (
        <p className="mt-1">
          {words.body}
          <SchemaLink name={body} />
        </p>
      ) : null}
      <ul className="mt-2">
        {replies.map((reply) => (
          <li key={reply.status}>
            <code>{reply.status}</code> <span lang="en">{reply.description}</span>
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
    <a className="underline" href={`#${name}`} lang="en">
      {name}
    </a>
  );
}
