import { formatShortTime } from "#components/view-state/format-time.ts";
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
  const text = (at: number) => `${formatShortTime(at, zone)} ${zone.label(at)}`;
  if (old && offline)
    return (
      <p className="old-notice">
        As of {text(shown.time)}, offline. The values of {text(time)} were not read.
      </p>
    );
  if (old)
    return (
      <p className="old-notice">
        As of {text(shown.time)}. The values of {text(time)} are being read.
      </p>
    );
  if (offline) return <p className="old-notice">Offline. Read {text(readAt)}.</p>;
  return null;
}
