import { useQuery } from "@tanstack/react-query";
import { formatTime } from "#components/view-state/format-time.ts";
import type { Zone } from "#components/view-state/zone.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { stormHistoryQuery } from "./storm-queries.ts";

interface Props {
  entry: StormEntry;
  shown: StormEntry;
  apiKey: string;
  zone: Zone;
  onPast(entry: StormEntry | undefined): void;
}

/** A slider through past bulletins: where the forecast has moved tells more than where it is. */
export function StormHistory({ entry, shown, apiKey, zone, onPast }: Props) {
  const { data } = useQuery(stormHistoryQuery(apiKey, entry.provider, entry.id));
  const past = (data ?? []).filter(({ entry: one }) => one.generated_at !== entry.generated_at);
  if (past.length === 0) return null;
  const index = past.findIndex(({ entry: one }) => one === shown);
  const at = index < 0 ? past.length : index;
  const issued = past[at]?.issued_at;
  return (
    <label className="form-field">
      Bulletin {at + 1} of {past.length + 1}
      {issued === undefined ? ", the newest" : `, of ${formatTime(issued, undefined, zone)}`}
      <input
        type="range"
        min={0}
        max={past.length}
        value={at}
        aria-valuetext={issued === undefined ? "the newest" : formatTime(issued, undefined, zone)}
        onChange={({ target }) => onPast(past[Number(target.value)]?.entry)}
      />
    </label>
  );
}
