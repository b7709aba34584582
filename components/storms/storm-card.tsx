import { dangerArea } from "@open-metocean/storms/danger";
import type { DangerMethod } from "@open-metocean/storms/providers";
import type { StormEntry } from "@open-metocean/storms/schema";
import { isForecastFor } from "@open-metocean/storms/track";
import type { ReactNode } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { saveFile } from "#components/ui/save-file.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime, formatTime, formatZonedTime } from "#components/view-state/format-time.ts";
import { useChangeView, useView, useZone } from "#components/view-state/view-context.tsx";
import { wholeValues } from "#components/words/whole-values.ts";
import { useWords } from "#components/words/words-context.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { positionText } from "#lib/position.ts";
import { stormCsv, stormGpx, stormsGeojson } from "#lib/storm-answers/export.ts";
import { basinTitle, describeCone, describeDangerArea } from "#lib/storm-answers/provenance.ts";
import { useApproaches } from "./approaches.ts";
import { AgencyText, LikelihoodMark } from "./areas.tsx";
import {
  agencyNames,
  ageWarnings,
  bulletinSpan,
  formatAlertMotion,
  formatChance,
  formatMotion,
  formatPressure,
  formatStage,
  formatWind,
  formatWindRange,
  issuedAt,
  quadrantLines,
  stormName,
} from "./format-storm.ts";
import { staleShip, verdictOf, verdictWithout } from "./format-verdict.ts";
import { StormApproach } from "./storm-approach.tsx";
import { StormChart } from "./storm-chart.tsx";
import { StormFilm } from "./storm-film.tsx";
import { StormErrors, StormForecast, StormPeer } from "./storm-tables.tsx";
import { useStorms } from "./storms-context.tsx";

interface Props {
  /** The storm in its newest bulletin. */
  newest: StormEntry;
  /** The storm in the displayed bulletin. */
  entry: StormEntry;
  apiKey: string;
  onBack(): void;
  /** Moves the map so that it shows the whole storm. */
  onShowWhole(entry: StormEntry): void;
  /** Additional actions. */
  actions?: ReactNode;
}

/** Everything known about one storm. */
export function StormCard({ newest, entry, apiKey, onBack, onShowWhole, actions }: Props) {
  const view = useView("danger");
  const changeView = useChangeView();
  const zone = useZone();
  const { now, drawn } = useClock("now", "drawn");
  const { film } = useStorms("film");
  const words = useWords("stormCard");
  const { storms, stormCard: text } = words;
  const last = entry.tracks.observed.at(-1);
  const issued = issuedAt(entry);
  const danger = view.danger && dangerArea(entry, view.danger);
  return (
    <section aria-label={text.region({ name: stormName(newest, words) })} className="space-y-4">
      <div>
        <div className="flex flex-wrap items-center gap-x-3">
          <button type="button" className="toggle" onClick={onBack}>
            <Icon name="back" className="size-4" /> {storms.allStorms}
          </button>
          <h2 data-opened className="font-semibold text-lg">
            {stormName(newest, words)}
          </h2>
        </div>
        {/* In a film an old bulletin is intended and needs no warning. */}
        {(film ? [] : ageWarnings(entry, now, words)).map((warning) => (
          <p key={warning} role="status" className="notice-line mt-1 text-sm">
            {warning}
          </p>
        ))}
        {/* A film draws each forecast at its own time, so this control is left out. */}
        {!film && drawn !== undefined && entry.tracks.forecast && !isForecastFor(entry, drawn) ? (
          <p role="status" className="notice-line mt-1 text-sm">
            {text.otherTime({ time: formatShortTime(drawn, zone) })}
          </p>
        ) : null}
      </div>
      {film ? null : <Verdict entry={entry} />}
      {last ? (
        <dl className="facts">
          <dt>{text.asOf}</dt>
          <dd>{formatZonedTime(last.time, zone)}</dd>
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
      {film ? null : <StormApproach entry={entry} />}
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
      <StormForecast entry={entry} />
      <StormChart entry={entry} />
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
      <StormFilm entry={newest} onShowWhole={onShowWhole} />
      <div className="flex flex-wrap gap-2">
        {actions}
        <StormExport entry={entry} method={view.danger ?? "classic"} />
      </div>
      <div className="text-muted text-sm">
        <p>
          {basinTitle(newest.basin, words)} · {newest.id} · {storms.providers[newest.provider]}
        </p>
        <p>
          {entry.is_active
            ? text.bulletin({
                time: formatTime(issued, undefined, zone),
                span: bulletinSpan(issued, now, words),
              })
            : storms.noLongerTracked}
        </p>
        {entry.aliases ? <p>{text.aliases({ ids: entry.aliases.join(words.ui.joins.list) })}</p> : null}
      </div>
    </section>
  );
}

/** The verdict for the ship or the point; renders nothing without either. */
function Verdict({ entry }: { entry: StormEntry }) {
  const zone = useZone("verdict");
  const { now } = useClock("now");
  const approaches = useApproaches();
  if (!approaches) return null;
  const { observer, answers } = approaches;
  const answer = answers.get(entry.id);
  const { level, sentences } = answer
    ? verdictOf(answer, now, zone)
    : verdictWithout(entry, now, observer.fix.time > now, zone);
  const [first, ...others] = sentences;
  const stale = staleShip(observer, now, zone.words);
  if (stale) others.push(stale);
  return (
    <div role="status" className="verdict" data-level={level}>
      <p className="font-semibold">{first && wholeValues(first, zone.words)}</p>
      {others.map((sentence) => (
        <p key={sentence} className="text-sm">
          {wholeValues(sentence, zone.words)}
        </p>
      ))}
    </div>
  );
}

/** Files for plotters and other programs: track, cone and danger area as displayed. */
function StormExport({ entry, method }: { entry: StormEntry; method: DangerMethod }) {
  const { save } = useWords("stormCard").stormCard;
  const files = [
    [save.geojson, "geojson", "application/geo+json", () => JSON.stringify(stormsGeojson([entry], method))],
    [save.gpx, "gpx", "application/gpx+xml", () => stormGpx(entry, method)],
    [save.track, "track.csv", "text/csv", () => stormCsv(entry, "track", method)],
    [save.cone, "cone.csv", "text/csv", () => stormCsv(entry, "cone", method)],
    [save.danger, "danger.csv", "text/csv", () => stormCsv(entry, "danger", method)],
  ] as const;
  return (
    <Menu button={<span className="px-2">{save.button}</span>}>
      {(close) => (
        <ul className="space-y-1">
          {files.map(([label, extension, type, write]) => (
            <li key={extension}>
              <button
                type="button"
                className="toggle w-full text-left"
                onClick={() => {
                  close();
                  saveFile(`${entry.provider}-${entry.id}.${extension}`, new Blob([write()], { type }));
                }}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Menu>
  );
}

/** Whether an invest may become a storm: its likelihood, its formation alert, and the agencies' texts. */
function StormDevelopment({ entry }: { entry: StormEntry }) {
  const zone = useZone();
  const { now } = useClock("now");
  const { areas } = useStorms("areas");
  const words = useWords();
  const { areas: text } = words.storms;
  const { development, formation_alert: alert } = entry;
  const area = areas.find(({ storm_id }) => storm_id === entry.id);
  if (!development && !alert) return null;
  return (
    <>
      {development ? (
        <div className="space-y-1">
          <p className="flex items-center gap-2 font-semibold text-sm">
            <LikelihoodMark likelihood={development.likelihood} /> {formatChance(development, words)}
          </p>
          <p className="text-xs">
            {text.likelihoodIssued({
              time: formatTime(development.issued_at, undefined, zone),
              agency: area && agencyNames[area.agency],
            })}
          </p>
          {area ? <AgencyText text={area.text} /> : null}
        </div>
      ) : null}
      {alert ? (
        <section
          aria-label={text.alert}
          className="rounded-lg border-(--map-likely-high) border-2 px-3 py-2 space-y-2"
        >
          <h3 className="font-semibold text-sm">{text.alertTitle}</h3>
          <p className="text-sm">
            {text.inForceUntil({ time: formatTime(alert.valid_until, undefined, zone) })}
            {now > alert.valid_until ? <strong className="notice-line block">{text.lapsed}</strong> : null}
          </p>
          <dl className="facts">
            <dt>{text.area}</dt>
            <dd>
              {alert.line.length === 1
                ? text.aroundPlace({ miles: formatMiles(alert.half_width_km, words) })
                : text.alongLine({ miles: formatMiles(alert.half_width_km, words) })}
            </dd>
            <dt>{text.winds}</dt>
            <dd>{formatWindRange(alert.winds_kt, words)}</dd>
            <dt>{text.moving}</dt>
            <dd>{formatAlertMotion(alert.heading_deg, alert.speed_kmh, words)}</dd>
          </dl>
          <details>
            <summary className="text-sm">{text.agencyText}</summary>
            <AgencyText text={alert.text} />
          </details>
        </section>
      ) : null}
    </>
  );
}
