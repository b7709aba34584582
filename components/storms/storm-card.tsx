import { Choice } from "#components/ui/choice.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { formatTime } from "#components/view-state/format-time.ts";
import type { ChangeView, View } from "#components/view-state/view-url.ts";
import type { Zone } from "#components/view-state/zone.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { positionText } from "#lib/position.ts";
import { dangerArea } from "#lib/storms/danger-area.ts";
import { describeCone, describeDangerArea } from "#lib/storms/provenance.ts";
import {
  formatBulletinAge,
  formatBasin,
  issuedAt,
  formatMotion,
  formatStage,
  stormName,
  formatWind,
} from "./format-storm.ts";
import { StormApproach } from "./storm-approach.tsx";
import { StormChart } from "./storm-chart.tsx";
import { StormExport } from "./storm-export.tsx";
import { StormForecast } from "./storm-forecast.tsx";
import { StormHistory } from "./storm-history.tsx";
import { StormPeer } from "./storm-peer.tsx";

interface Props {
  /** As the newest bulletin has it. */
  entry: StormEntry;
  /** As it is shown: of the newest bulletin, or of one before. */
  shown: StormEntry;
  /** Shows a bulletin of the past; undefined the newest one. */
  onPast(entry: StormEntry | undefined): void;
  view: View;
  change: ChangeView;
  apiKey: string;
  /** Weather clock, Unix seconds. */
  now: number;
  zone: Zone;
  onTime(time: number): void;
}

/** All that is known of one storm, for somebody who has to keep clear of it. */
export function StormCard({ entry, shown, onPast, view, change, apiKey, now, zone, onTime }: Props) {
  const last = shown.tracks.observed.at(-1);
  const issued = issuedAt(shown);
  const danger = view.danger && dangerArea(shown, view.danger);
  return (
    <section aria-label={`Storm ${stormName(entry)}`} className="space-y-4">
      <div>
        <button
          type="button"
          className="toggle"
          onClick={() => {
            onPast(undefined);
            change({ storm: null });
          }}
        >
          <Icon name="back" className="size-4" /> All storms
        </button>
        <h2 className="mt-3 font-semibold text-lg">{stormName(entry)}</h2>
        <p className="text-muted text-sm">
          {formatBasin(entry.basin)} · {entry.id} · {entry.provider === "jma" ? "JMA" : "JTWC and NHC"}
        </p>
        <p className="text-sm">
          {shown.is_active
            ? `Bulletin of ${formatTime(issued, undefined, zone)}, ${formatBulletinAge(issued, now)}`
            : "No longer tracked"}
        </p>
      </div>
      {last ? (
        <dl className="facts">
          <dt>Stage</dt>
          <dd>{shown.is_invest ? "Area of interest" : formatStage(last, shown)}</dd>
          <dt>Strongest wind</dt>
          <dd>{formatWind(last, shown)}</dd>
          <dt>Lowest pressure</dt>
          <dd>{last.mslp_hpa === null ? "not stated" : `${last.mslp_hpa} hPa`}</dd>
          <dt>Centre</dt>
          <dd className="tabular-nums">{positionText(last.lat, last.lon)}</dd>
          <dt>Moving</dt>
          <dd>{formatMotion(last)}</dd>
        </dl>
      ) : null}
      <StormHistory entry={entry} shown={shown} apiKey={apiKey} zone={zone} onPast={onPast} />
      <Choice
        title="Mariner's 1-2-3 danger area"
        options={[
          ["off", "Off"],
          ["classic", "100-200-300"],
          ["season", "This season's cone"],
        ]}
        value={view.danger ?? "off"}
        onChange={(method: "off" | "classic" | "season") =>
          change({ danger: method === "off" ? null : method })
        }
      />
      {view.danger ? (
        <p className="text-sm">
          {danger
            ? `The ${describeDangerArea(danger)}. It does not remove all risk.`
            : "There is no forecast to draw it from."}
        </p>
      ) : null}
      <StormApproach entry={shown} point={view.p} now={now} zone={zone} />
      <StormChart entry={shown} now={now} zone={zone} />
      {shown.tracks.forecast ? (
        <StormForecast entry={shown} forecast={shown.tracks.forecast} zone={zone} onTime={onTime} />
      ) : null}
      {shown.cone ? (
        <p className="text-sm">
          <strong>Cone:</strong> {describeCone(shown)}. The centre is expected to stay inside it about{" "}
          {shown.cone.source === "jma" ? "7 times in 10" : "2 times in 3"}; wind and sea reach beyond it.
        </p>
      ) : null}
      <StormPeer entry={entry} apiKey={apiKey} now={now} />
      <StormExport entry={shown} method={view.danger ?? "classic"} />
    </section>
  );
}
