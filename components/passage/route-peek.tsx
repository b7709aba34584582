import { Suspense } from "react";
import { usePlan } from "#components/view-state/plan.ts";
import { usePassageWords } from "./passage-words.ts";
import { PassageWordsProvider } from "./passage-words-provider.tsx";
import { useRouteText } from "./route-summary.tsx";

/** The plan in a line, for the low panel of a phone. */
export function RoutePeek() {
  return (
    <Suspense>
      <PassageWordsProvider>
        <Peek />
      </PassageWordsProvider>
    </Suspense>
  );
}

function Peek() {
  const { route: words } = usePassageWords();
  const { plan } = usePlan();
  const summary = useRouteText();
  if (plan.route.length === 0) return <p className="text-muted text-sm">{words.raise}</p>;
  return (
    <p className="truncate text-sm">
      <strong>{plan.name || words.title}</strong>
      <span className="block truncate text-muted text-xs tabular-nums">{summary}</span>
    </p>
  );
}
