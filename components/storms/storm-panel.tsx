import type { ChangeView, View } from "#components/view-state/view-url.ts";
import type { Zone } from "#components/view-state/zone.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { StormCard } from "./storm-card.tsx";
import { StormList } from "./storm-list.tsx";
import type { Storms } from "./use-storms.ts";

interface Props {
  storms: Storms;
  view: View;
  change: ChangeView;
  apiKey: string | undefined;
  /** Weather clock, Unix seconds. */
  now: number;
  zone: Zone;
  onTime(time: number): void;
  onShow(entry: StormEntry): void;
}

/** The storm watch: all storms of a provider, or all that is known of one. */
export function StormPanel({ storms, view, change, apiKey, now, zone, onTime, onShow }: Props) {
  const { selected } = storms;
  if (selected && apiKey) {
    return (
      <StormCard
        key={`${selected.provider} ${selected.id}`}
        entry={selected}
        shown={storms.entry ?? selected}
        onPast={storms.showPast}
        view={view}
        change={change}
        apiKey={apiKey}
        now={now}
        zone={zone}
        onTime={onTime}
      />
    );
  }
  return <StormList storms={storms} view={view} change={change} now={now} onShow={onShow} />;
}
