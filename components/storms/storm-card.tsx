import { Choice } from "#components/ui/choice.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime, formatTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { positionText } from "#lib/position.ts";
import { basinTitle } from "#lib/storms/basin-title.ts";
import { dangerArea } from "#lib/storms/danger-area.ts";
import { isForecastFor } from "#lib/storms/forecast-track.ts";
import { describeCone, describeDangerArea } from "#lib/storms/provenance.ts";
import {
  ageWarnings,
  formatBulletinAge,
  formatMotion,
  formatStage,
  formatWind,
  issuedAt,
  quadrantLines,
  stormName,
} from "./format-storm.ts";
import { ShipVerdict } from "./ship-verdict.tsx";
import { StormApproach } from "./storm-approach.tsx";
import { StormChart } from "./storm-chart.tsx";
import { StormDevelopment } from "./storm-development.tsx";
import { StormErrors } from "./storm-errors.tsx";
import { StormExport } from "./storm-export.tsx";
import { StormFilm } from "./storm-film.tsx";
import { StormForecast } from "./storm-forecast.tsx";
import { StormPeer } from "./storm-peer.tsx";
import { useStorms } from "./storms-context.tsx";

interface Props {
  /** In its newest bulletin. */
  newest: StormEntry;
  /** In the bulletin that is shown. */
  entry: StormEntry;
  apiKey: string;
  /** Moves the map so that it shows the whole storm. */
  onShowWhole(entry: StormEntry): void;
}

/** All that is known of one storm. */
export function StormCard({ newest, entry, apiKey, onShowWhole }: Props) {
  const { view, changeView, zone } = useView();
  const { now, drawn } = useClock();
  const { film } = useStorms();
  const last = entry.tracks.observed.at(-1);
  const issued = issuedAt(entry);
  const danger = view.danger && dangerArea(entry, view.danger);
  return (
    <section aria-label={`Storm ${stormName(newest)}`} className="space-y-4">
      <div>
        <button
          type="button"
          className="toggle"
          onClick={() => changeView({ storm: null, film: null, tab: "storms" }, "push")}
        >
          <Icon name="back" className="size-4" /> All storms
        </button>
        <h2 data-opened className="mt-3 font-semibold text-lg">
          {stormName(newest)}
        </h2>
        <p className="text-muted text-sm">
          {basinTitle(newest.basin)} · {newest.id} · {newest.provider === "jma" ? "JMA" : "JTWC and NHC"}
        </p>
        <p className="text-sm">
          {entry.is_active
            ? `Bulletin of ${formatTime(issued, undefined, zone)}, ${formatBulletinAge(issued, now)}`
            : "No longer tracked"}
        </p>
        {/* A bulletin of a film is old by intention. */}
        {(film ? [] : ageWarnings(entry, now)).map((warning) => (
          <p key={warning} role="status" className="notice-line mt-1 text-sm">
            {warning}
          </p>
        ))}
        {/* A film draws each forecast at its own time. */}
        {!film && drawn !== undefined && entry.tracks.forecast && !isForecastFor(entry, drawn) ? (
          <p role="status" className="notice-line mt-1 text-sm">
            The map shows {formatShortTime(drawn, zone)}: forecast and cone of this bulletin are not drawn
            over it.
          </p>
        ) : null}
        {entry.aliases ? (
          <p className="text-muted text-sm">Also known as {entry.aliases.join(", ")}</p>
        ) : null}
      </div>
      {film ? null : <ShipVerdict entry={entry} />}
      <StormFilm entry={newest} onShowWhole={onShowWhole} />
      {last ? (
        <dl className="facts">
          <dt>Stage</dt>
          <dd>{entry.is_invest ? "Area of interest" : formatStage(last, entry)}</dd>
          <dt>Strongest wind</dt>
          <dd>{formatWind(last, entry)}</dd>
          <dt>Lowest pressure</dt>
          <dd>{last.mslp_hpa === null ? "not stated" : `${last.mslp_hpa} hPa`}</dd>
          <dt>Centre</dt>
          <dd className="tabular-nums">{positionText(last.lat, last.lon)}</dd>
          <dt>Moving</dt>
          <dd>{formatMotion(last)}</dd>
          {last.sea_radii_km ? (
            <>
              <dt>Seas of 12 ft (3.7 m)</dt>
              <dd>{quadrantLines(last.sea_radii_km["12ft"]).join(" ")} n mi, dotted on the map</dd>
            </>
          ) : null}
        </dl>
      ) : null}
      <StormDevelopment entry={entry} />
      {film ? null : (
        <Choice
          title="Mariner's 1-2-3 danger area"
          options={[
            ["off", "Off"],
            ["classic", "100-200-300"],
            ["season", "This season's cone"],
          ]}
          value={view.danger ?? "off"}
          onChange={(method: "off" | "classic" | "season") =>
            changeView({ danger: method === "off" ? null : method })
          }
        />
      )}
      {view.danger && !film ? (
        <p className="text-sm">
          {danger
            ? `The ${describeDangerArea(danger)}. It does not remove all risk.`
            : "There is no forecast to draw it from."}
        </p>
      ) : null}
      {film ? null : <StormApproach entry={entry} />}
      <StormChart entry={entry} />
      {entry.tracks.forecast ? <StormForecast entry={entry} forecast={entry.tracks.forecast} /> : null}
      {entry.cone ? (
        <p className="text-sm">
          <strong>Cone:</strong> {describeCone(entry)}. The centre is expected to stay inside it about{" "}
          {entry.cone.source === "jma" ? "7 times in 10" : "2 times in 3"}; wind and sea reach beyond it.
        </p>
      ) : null}
      <StormErrors entry={newest} apiKey={apiKey} />
      <StormPeer entry={newest} apiKey={apiKey} />
      <StormExport entry={entry} method={view.danger ?? "classic"} />
    </section>
  );
}
