import type { StormEntry } from "#lib/contract/storm-form.ts";
import { formatInstant } from "#lib/time.ts";
import { stormCard } from "#lib/words/en/storm-card.ts";
import { en } from "#lib/words/en.ts";
import type { DangerArea } from "./danger-area.ts";
import { averagingMinutes, describeCone, describeDangerArea, notice } from "./provenance.ts";

/** Files and answers of the API are in English. */
export const english = { ...en, stormCard };

const agencies = {
  jtwc: "Joint Typhoon Warning Center and National Hurricane Center",
  jma: "Japan Meteorological Agency",
} as const;

/** What a user of an exported file must know about it, in English; the first line names the storm. */
export function provenance(entry: StormEntry, danger?: DangerArea): string[] {
  const { provider, cone, tracks } = entry;
  const minutes = averagingMinutes[provider];
  return [
    `${entry.name ?? "Unnamed"} (${entry.id})`,
    `Provider: ${provider} (${agencies[provider]})`,
    `Winds: ${minutes}-minute means`,
    ...(tracks.forecast ? [`Forecast of ${formatInstant(tracks.forecast.issued_at)}`] : []),
    ...(cone ? [`Cone: ${describeCone(entry, english)}`] : []),
    ...(danger ? [`Danger area: ${describeDangerArea(danger, english)}`] : []),
    `Made ${formatInstant(entry.generated_at)}`,
    notice,
  ];
}
