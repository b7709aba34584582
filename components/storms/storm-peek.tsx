import { formatMotion, formatWind, stormName } from "./format-storm.ts";
import { useStorms } from "./storms-context.tsx";

/** The selected storm, or how to find one, for the low panel of a phone. */
export function StormPeek() {
  const { entry, entries, loading } = useStorms();
  const last = entry?.tracks.observed.at(-1);
  if (entry && last) {
    return (
      <p className="text-sm">
        <strong>{stormName(entry)}</strong> {formatWind(last, entry)}
        <span className="block truncate text-muted text-xs">Moving {formatMotion(last)}</span>
      </p>
    );
  }
  return (
    <p className="text-muted text-sm">
      {loading
        ? "Reading the bulletins…"
        : entries.length === 0
          ? "No storms to show."
          : "Tap a storm, or raise this panel for the list."}
    </p>
  );
}
