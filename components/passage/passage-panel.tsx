import { Suspense, use } from "react";
import { useWords } from "#components/words/words-context.ts";
import { PassageOutlook } from "./passage-outlook.tsx";
import { loadPassageWords, PassageWordsContext } from "./passage-words.ts";
import { RouteEditor, type RouteEditorProps } from "./route-editor.tsx";

/** The plan of a passage: its route, and what it will be like. */
export function PassagePanel(props: RouteEditorProps) {
  return (
    <Suspense>
      <WithWords {...props} />
    </Suspense>
  );
}

function WithWords(props: RouteEditorProps) {
  const { language } = useWords();
  const loading = loadPassageWords(language);
  const words = loading instanceof Promise ? use(loading) : loading;
  return (
    <PassageWordsContext value={words}>
      <section aria-label={words.route.title} className="space-y-4">
        <RouteEditor {...props} />
        <PassageOutlook />
      </section>
    </PassageWordsContext>
  );
}
