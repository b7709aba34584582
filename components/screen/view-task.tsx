import { boxEstimate, boxLink, boxVariable } from "#components/tasks/box-link.ts";
import { Icon } from "#components/ui/icon.tsx";
import { layerTitle } from "#components/view-state/layers.ts";
import { useWords } from "#components/words/words-context.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { useScreen } from "./screen-context.tsx";

/** Link to the form for a task, filled in with what the map shows; absent where no box of the layer is served. */
export function ViewTask() {
  const words = useWords();
  const { box, drawn, drawnTime } = useScreen();
  const name = boxVariable(drawn);
  if (!box || !name || !drawn || drawnTime === undefined) return null;
  const view = { ...box, time: drawnTime };
  const { values, bytes } = boxEstimate(name, view);
  const title = words.screen.view.task({
    title: layerTitle(drawn, words),
    count: values,
    size: formatBytes(bytes, words),
  });
  return (
    <a className="surface view-task" href={boxLink(name, view)} aria-label={title} title={title}>
      <Icon name="save" />
    </a>
  );
}
