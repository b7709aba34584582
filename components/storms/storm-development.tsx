import { useClock } from "#components/view-state/clock-context.ts";
import { formatTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { AgencyText } from "./area-card.tsx";
import { agencyNames, formatAlertMotion, formatChance, formatWindRange } from "./format-area.ts";
import { LikelihoodMark } from "./likelihood-mark.tsx";
import { useStorms } from "./storms-context.tsx";

/** Whether an invest may become a storm: its likelihood, its formation alert, and what the agencies write. */
export function StormDevelopment({ entry }: { entry: StormEntry }) {
  const { zone } = useView();
  const { now } = useClock();
  const { areas } = useStorms();
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
        <section aria-label={text.alert} className="alert-box space-y-2">
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
