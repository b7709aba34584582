import { Icon } from "#components/ui/icon.tsx";
import { formatPoints } from "./format-task.ts";
import type { TaskPoints } from "./task-points.ts";

interface Props {
  shown: TaskPoints | undefined;
  error: Error | null;
  /** Takes the points off the map. */
  onClose(): void;
}

/** Which task the points on the map are of, or why there are none. */
export function PointsNotice({ shown, error, onClose }: Props) {
  if (!shown && !error) return null;
  const count = shown?.points.length ?? 0;
  const name = shown?.name || (shown?.isRoute ? "Route without a name" : "Points without a name");
  return (
    <div className="notice flex items-center gap-2">
      <p role={error ? "alert" : "status"} className="min-w-0 break-words">
        {error ? (
          `The points of this task cannot be shown: ${error.message}`
        ) : count === 0 ? (
          "This task has no points that can be drawn."
        ) : (
          <>
            <strong>{name}</strong>: {formatPoints(count)}
          </>
        )}
      </p>
      <button
        type="button"
        className="button plain"
        aria-label="Take the points off the map"
        onClick={onClose}
      >
        <Icon name="close" className="size-4" />
      </button>
    </div>
  );
}
