import { type KeyboardEvent, useId, useState, useSyncExternalStore } from "react";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { useWords } from "#components/words/words-context.ts";
import { Code } from "./code.tsx";
import type { PlainRequest } from "./request-form.ts";
import { KEY_VARIABLE, type SnippetLanguage, snippetLanguages, snippetOf } from "./snippets.ts";

const languages = Object.keys(snippetLanguages) as SnippetLanguage[];

/** In this tab. */
const STORED = "docs language";

const noChange = () => () => {};

/** Programs that send the request of the form. */
export function SnippetPanel({ request }: { request: PlainRequest }) {
  const { docs } = useWords("docs");
  const origin = useSyncExternalStore(
    noChange,
    () => window.location.origin,
    () => "http://localhost:3000",
  );
  const stored = useSyncExternalStore(
    noChange,
    () => sessionStorage.getItem(STORED) as SnippetLanguage | null,
    () => null,
  );
  const [chosen, setChosen] = useState<SnippetLanguage>();
  const language = chosen ?? (stored && stored in snippetLanguages ? stored : "curl");
  const id = useId();
  const text = snippetOf(language, request, origin);
  const choose = (next: SnippetLanguage) => {
    sessionStorage.setItem(STORED, next);
    setChosen(next);
  };
  /** As in every list of tabs: arrows, Home and End choose and move the focus. */
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = languages.indexOf(language);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = languages.at(to % languages.length)!;
    choose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <section className="docs-panel" aria-label={docs.program}>
      <div className="docs-bar">
        <div role="tablist" aria-label={docs.program} className="docs-tabs" onKeyDown={onKeyDown}>
          {languages.map((each) => (
            <button
              key={each}
              id={`${id}-${each}`}
              type="button"
              role="tab"
              className="tab"
              aria-selected={each === language}
              aria-controls={`${id}-panel`}
              tabIndex={each === language ? 0 : -1}
              onClick={() => choose(each)}
            >
              {snippetLanguages[each]}
            </button>
          ))}
        </div>
        <CopyButton className="toggle" text={() => text}>
          {docs.copy}
        </CopyButton>
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${language}`}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too */}
        <pre className="docs-pre" tabIndex={0} lang="en">
          <Code text={text} />
        </pre>
      </div>
      {request.needsKey ? <p className="docs-foot">{docs.keyVariable({ variable: KEY_VARIABLE })}</p> : null}
    </section>
  );
}
