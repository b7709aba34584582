import { Suspense } from "react";
import { usePlan } from "#components/view-state/plan.ts";
import { usePassageWords } from "./passage-words.ts";
import { PassageWordsProvider } from "./passage-words-provider.tsx";
import { useRouteText } from "./route-summary.tsx";

interface Props {
  onDone(): void;
}

/** Over the map while clicks add waypoints: what can be done, and the way out. */
export function RouteDrawing(props: Props) {
  return (
    <Suspense>
      <PassageWordsProvider>
        <Drawing {...props} />
      </PassageWordsProvider>
    </Suspense>
  );
}

function Drawing({ onDone }: Props) {
  const { drawing, undo: undoText } = usePassageWords().route;
  const { plan, undo, canUndo } = usePlan();
  const summary = useRouteText();
  return (
    <section aria-label={drawing.title} className="notice route-drawing">
      <p className="min-w-0 flex-1">
        <span className="max-md:hidden">{drawing.byMouse}</span>
        <span className="md:hidden">{drawing.byTouch}</span>
        <span role="status" className="block text-muted text-xs tabular-nums">
          {plan.route.length > 0 ? summary : ""}
        </span>
      </p>
      <button type="button" className="button px-3" disabled={!canUndo} onClick={undo}>
        {undoText}
      </button>
      <button type="button" className="button primary px-3" onClick={onDone}>
        {drawing.done}
      </button>
    </section>
  );
}
