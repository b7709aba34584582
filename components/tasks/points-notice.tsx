import { Button } from "#components/ui/button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Sentence } from "#components/words/sentence.tsx";
import { useWords } from "#components/words/words-context.ts";
import { errorText } from "#lib/messages/fault.ts";
import type { TaskPoints } from "./task-points.ts";

interface Props {
  shown: TaskPoints | undefined;
  error: Error | null;
  onClose(): void;
}

/** Names the task whose points are on the map, or states why there are none. */
export function PointsNotice({ shown, error, onClose }: Props) {
  const words = useWords("tasks");
  const { notice, untitled } = words.tasks;
  const count = shown?.points.length ?? 0;
  const name = shown?.name || (shown?.isRoute ? untitled.route : untitled.MetOcean);
  return (
    <div className="notice flex items-center gap-2">
      <p role={error ? "alert" : "status"} className="min-w-0 break-words">
        {error ? (
          notice.failed({ reason: errorText(error, words) })
        ) : count === 0 ? (
          notice.none
        ) : (
          <Sentence message={notice.shown} values={{ name: <strong>{name}</strong>, count }} />
        )}
      </p>
      <Button className="plain" aria-label={notice.close} onClick={onClose}>
        <Icon name="close" className="size-4" />
      </Button>
    </div>
  );
}
