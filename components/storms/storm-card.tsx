import type { ReactNode } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime, formatTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { positionText } from "#lib/position.ts";
import { dangerArea } from "#lib/storms/danger.ts";
import { basinTitle, describeCone, describeDangerArea } from "#lib/storms/provenance.ts";
import { isForecastFor } from "#lib/storms/track.ts";
import {
  ageWarnings,
  bulletinSpan,
  formatMotion,
  formatPressure,
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
  /** What can be done besides. */
  actions?: ReactNode;
}

/** All that is known of one storm. */
export function StormCard({ newest, entry, apiKey, onShowWhole, actions }: Props) {
  const { view, changeView, zone } = useView();
  const { now, drawn } = useClock();
  const { film } = useStorms();
  const words = useWords("stormCard");
  const { storms, stormCard: text } = words;
  const last = entry.tracks.observed.at(-1);
  const issued = issuedAt(entry);
  const danger = view.danger && dangerArea(entry, view.danger);
  return (
    <section aria-label={text.region({ name: stormName(newest, words) })} className="space-y-4">
      <div>
        <button
          type="button"
          className="toggle"
          onClick={() => changeView({ storm: null, film: null, tab: "storms" }, "push")}
        >
          <Icon name="back" className="size-4" /> {storms.allStorms}
        </button>
        <h2 data-opened className="mt-3 font-semibold text-lg">
          {stormName(newest, words)}
        </h2>
        <p className="text-muted text-sm">
          {basinTitle(newest.basin, words)} · {newest.id} · {storms.providers[newest.provider]}
        </p>
        <p className="text-sm">
          {entry.is_active
            ? text.bulletin({
                time: formatTime(issued, undefined, zone),
                span: bulletinSpan(issued, now, words),
              })
            : storms.noLongerTracked}
        </p>
        {/* A bulletin of a film is old by intention. */}
        {(film ? [] : ageWarnings(entry, now, words)).map((warning) => (
          <p key={warning} role="status" className="notice-line mt-1 text-sm">
            {warning}
          </p>
        ))}
        {/* A film draws each forecast at its own time. */}
        {!film && drawn !== undefined && entry.tracks.forecast && !isForecastFor(entry, drawn) ? (
          <p role="status" className="notice-line mt-1 text-sm">
            {text.otherTime({ time: formatShortTime(drawn, zone) })}
          </p>
        ) : null}
        {entry.aliases ? (
          <p className="text-muted text-sm">
            {text.aliases({ ids: entry.aliases.join(words.ui.joins.list) })}
          </p>
        ) : null}
      </div>
      {film ? null : <ShipVerdict entry={entry} />}
      <StormFilm entry={newest} onShowWhole={onShowWhole} />
      {last ? (
        <dl className="facts">
          <dt>{text.stage}</dt>
          <dd>{entry.is_invest ? storms.areaOfInterest : formatStage(last, entry, words)}</dd>
          <dt>{text.wind}</dt>
          <dd>{formatWind(last, entry, words)}</dd>
          <dt>{text.pressure}</dt>
          <dd>{formatPressure(last, words)}</dd>
          <dt>{text.centre}</dt>
          <dd className="tabular-nums">{positionText(last.lat, last.lon)}</dd>
          <dt>{text.moving}</dt>
          <dd>{formatMotion(last, words)}</dd>
          {last.sea_radii_km ? (
            <>
              <dt>{text.seas}</dt>
              <dd>
                {text.seasReach({ quadrants: quadrantLines(last.sea_radii_km["12ft"], words).join(" ") })}
              </dd>
            </>
          ) : null}
        </dl>
      ) : null}
      <StormDevelopment entry={entry} />
      {film ? null : (
        <Choice
          title={text.danger.title}
          options={[
            ["off", text.danger.off],
            ["classic", text.danger.classic],
            ["season", text.danger.season],
          ]}
          value={view.danger ?? "off"}
          onChange={(method: "off" | "classic" | "season") =>
            changeView({ danger: method === "off" ? null : method })
          }
        />
      )}
      {view.danger && !film ? (
        <p className="text-sm">
          {danger ? text.danger.text({ rule: describeDangerArea(danger, words) }) : text.danger.noForecast}
        </p>
      ) : null}
      {film ? null : <StormApproach entry={entry} />}
      {actions}
      <StormChart entry={entry} />
      {entry.tracks.forecast ? <StormForecast entry={entry} forecast={entry.tracks.forecast} /> : null}
      {entry.cone ? (
        <p className="text-sm">
          <strong>{text.cone.title}</strong>{" "}
          {text.cone.text[entry.cone.source === "jma" ? "jma" : "nhc"]({
            origin: describeCone(entry, words),
          })}
        </p>
      ) : null}
      <StormErrors entry={newest} apiKey={apiKey} />
      <StormPeer entry={newest} apiKey={apiKey} />
      <StormExport entry={entry} method={view.danger ?? "classic"} />
    </section>
  );
}
