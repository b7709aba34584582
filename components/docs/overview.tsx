import { Sentence } from "#components/words/sentence.tsx";
import type { DescribedApi } from "#lib/contract/described-api.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { InlineCode } from "./inline-code.tsx";
import { Method } from "./operations-nav.tsx";

interface Props {
  api: DescribedApi;
  /** Of what stands around the reference. The reference itself is in English, as the OpenAPI document is. */
  words: Messages["docs"];
}

/** What holds for every operation, and the list of them. The server renders it. */
export function Overview({ api, words }: Props) {
  const { title, summary, guide, groups } = api;
  return (
    <main id="operation" className="docs-main" tabIndex={-1}>
      <div className="docs-text">
        <h1 className="docs-title">{words.title({ service: title })}</h1>
        <p lang="en">{summary}</p>
        <p>
          <Sentence
            of={words.calls}
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
              <p key={paragraph}>
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
                    <Method name={method} /> <span className="docs-path">{path}</span>
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
