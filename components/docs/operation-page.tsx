import type { DescribedApi, DescribedOperation } from "#lib/contract/described-api.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { InlineCode } from "./inline-code.tsx";
import { OperationReference } from "./operation-reference.tsx";
import { Method } from "./operations-nav.tsx";
import { TryIt } from "./try-it.tsx";

interface Props {
  api: DescribedApi;
  operation: DescribedOperation;
  /** Of what stands around the reference. The reference itself is in English, as the OpenAPI document is. */
  words: Messages["docs"];
}

/** The page of an operation. The server renders it; the form and what stands beside it are alive. */
export function OperationPage({ api, operation, words }: Props) {
  const { method, path, summary, description, needsKey, openToVisitors } = operation;
  return (
    <main id="operation" className="docs-main docs-operation" tabIndex={-1}>
      <header className="docs-head">
        <p className="docs-where">{words.groups[operation.group]}</p>
        <h1 className="docs-title" lang="en">
          {summary}
        </h1>
        <p className="docs-address" lang="en">
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
