import { useClock } from "#components/view-state/clock-context.ts";
import { formatTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { AgencyText } from "./area-card.tsx";
import { agencyNames, formatAlertMotion, formatChance, formatWindRange } from "./format-area.ts";
import { formatMiles } from "./format-storm.ts";
import { LikelihoodMark } from "./likelihood-mark.tsx";
import { useStorms } from "./storms-context.tsx";

/** Whether an invest may become a storm: its likelihood, its formation alert, and what the agencies write. */
export function StormDevelopment({ entry }: { entry: StormEntry }) {
  const { zone } = useView();
  const { now } = useClock();
  const { areas } = useStorms();
  const { development, formation_alert: alert } = entry;
  const area = areas.find(({ storm_id }) => storm_id === entry.id);
  if (!development && !alert) return null;
  return (
    <>
      {development ? (
        <div className="space-y-1">
          <p className="flex items-center gap-2 font-semibold text-sm">
            <LikelihoodMark likelihood={development.likelihood} /> {formatChance(development)}
          </p>
          <p className="text-xs">
            Likelihood that a tropical cyclone forms, issued{" "}
            {formatTime(development.issued_at, undefined, zone)}
            {area ? ` by ${agencyNames[area.agency]}` : ""}
          </p>
          {area ? <AgencyText text={area.text} /> : null}
        </div>
      ) : null}
      {alert ? (
        <section aria-label="Formation alert" className="alert-box space-y-2">
          <h3 className="font-semibold text-sm">Formation alert of JTWC</h3>
          <p className="text-sm">
            In force until {formatTime(alert.valid_until, undefined, zone)}
            {now > alert.valid_until ? (
              <strong className="notice-line block">
                Its time has passed, and no successor was received yet.
              </strong>
            ) : null}
          </p>
          <dl className="facts">
            <dt>Area</dt>
            <dd>
              {alert.line.length === 1
                ? `within ${formatMiles(alert.half_width_km)} of a place`
                : `${formatMiles(alert.half_width_km)} on both sides of a line`}
            </dd>
            <dt>Winds</dt>
            <dd>{formatWindRange(alert.winds_kt)}</dd>
            <dt>Moving</dt>
            <dd>{formatAlertMotion(alert.heading_deg, alert.speed_kmh)}</dd>
          </dl>
          <details>
            <summary className="text-sm">What JTWC wrote</summary>
            <AgencyText text={alert.text} />
          </details>
        </section>
      ) : null}
    </>
  );
}
