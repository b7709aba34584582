import { useQuery } from "@tanstack/react-query";
import { formatTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { stormHistoryQuery } from "./storm-queries.ts";
import { useStorms } from "./storms-context.tsx";

interface Props {
  /** In its newest bulletin. */
  newest: StormEntry;
  /** In the bulletin that is shown. */
  entry: StormEntry;
  apiKey: string;
}

/** A slider through past bulletins, to see how the forecast has changed; nothing without any. */
export function StormHistory({ newest, entry, apiKey }: Props) {
  const { zone } = useView();
  const { showPast } = useStorms();
  const { data } = useQuery(stormHistoryQuery(apiKey, newest.provider, newest.id));
  const past = (data ?? []).filter(({ entry: one }) => one.generated_at !== newest.generated_at);
  if (past.length === 0) return null;
  const index = past.findIndex(({ entry: one }) => one === entry);
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
        onChange={({ target }) => showPast(past[Number(target.value)]?.entry)}
      />
    </label>
  );
}
