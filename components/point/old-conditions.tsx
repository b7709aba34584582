import { formatZonedTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { TimedConditions } from "./conditions-at.ts";
import type { ConditionsState } from "./use-conditions.ts";

interface Props extends Pick<ConditionsState, "old" | "offline" | "readAt"> {
  shown: TimedConditions;
  /** Time of the map, Unix seconds. */
  time: number;
}

/** Says of which time the values are where it is not the one of the map, and how old they are without a connection. */
export function OldConditions({ shown, old, offline, readAt, time }: Props) {
  const { zone } = useView();
  const words = zone.words.point.old;
  if (old) {
    const sentence = offline ? words.offline : words.reading;
    const times = { shown: formatZonedTime(shown.time, zone), wanted: formatZonedTime(time, zone) };
    return <p className="old-notice">{sentence(times)}</p>;
  }
  if (offline) return <p className="old-notice">{words.readAt({ time: formatZonedTime(readAt, zone) })}</p>;
  return null;
}
