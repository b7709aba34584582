import { useState } from "react";
import { TextField } from "#components/ui/text-field.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatHour } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { distanceKm, initialBearing, MILE_KM } from "#lib/geo/sphere.ts";
import { formatBearing } from "#lib/position.ts";
import { arrivalWindows } from "#lib/storms/arrival-window.ts";
import { closestApproach } from "#lib/storms/closest-approach.ts";
import { galeThreshold } from "#lib/storms/danger-area.ts";
import { placeNow } from "#lib/storms/forecast-track.ts";
import { steering } from "#lib/storms/vessel.ts";
import { ofWire } from "#lib/storms/wire.ts";
import { formatApproach, formatArrival, formatClearance } from "./format-approach.ts";
import { formatBulletinAge, formatMiles } from "./format-storm.ts";

/** How close the storm comes to a vessel that leaves the sampled point now, and when its winds arrive there. */
export function StormApproach({ entry }: { entry: StormEntry }) {
  const { view, zone } = useView();
  const { now } = useClock();
  const point = view.p;
  const [course, setCourse] = useState("0");
  const [speed, setSpeed] = useState("0");
  if (!point) {
    return (
      <p className="text-muted text-sm">
        Click the map where you are: the closest approach is worked out from there.
      </p>
    );
  }
  const [heading, knots] = [Number(course), Number(speed.replace(",", "."))];
  const valid = course !== "" && heading >= 0 && heading <= 360 && speed !== "" && knots >= 0 && knots <= 60;
  const vessel = valid ? steering(point, now, heading, knots * MILE_KM) : undefined;
  const found = vessel && closestApproach(entry, vessel);
  const centre = placeNow(entry, now);
  const last = entry.tracks.observed.at(-1);
  const at = (time: number) => formatHour(time, zone);
  return (
    <section aria-label="Closest approach" className="space-y-2">
      <h3 className="font-semibold text-sm">Closest approach to your point</h3>
      {centre ? (
        <p className="text-sm">
          Now {formatMiles(distanceKm(point, centre))} away, bearing{" "}
          {formatBearing(initialBearing(point, centre))}.
        </p>
      ) : null}
      <div className="grid grid-cols-2 gap-3">
        <TextField label="Your course, °" inputMode="numeric" value={course} onChange={setCourse} />
        <TextField label="Your speed, kn" inputMode="decimal" value={speed} onChange={setSpeed} />
      </div>
      {!valid ? (
        <p role="status" className="text-sm">
          A course is 0 to 360, a speed 0 to 60 knots.
        </p>
      ) : found && vessel ? (
        <>
          <p className="text-sm">{formatApproach(found, zone)}</p>
          <p className="text-sm">{formatClearance(found, galeThreshold(entry), zone)}</p>
          <ul className="list-disc pl-5 text-sm">
            {arrivalWindows(entry, vessel).map((window) => (
              <li key={window.thresholdKt}>{formatArrival(window, found.until, zone)}</li>
            ))}
          </ul>
          <p className="text-muted text-xs">
            Looked at until {at(found.until)}, where the forecast ends. Times are {zone.label(found.until)},
            to the hour.
          </p>
          <ForecastAge entry={entry} now={now} />
        </>
      ) : (
        <>
          <p className="text-sm">
            There is no forecast to work it out from: that does not mean that the storm stays away.
          </p>
          {last ? (
            <p className="text-sm">
              Last located {at(last.time)}, {formatMiles(distanceKm(point, ofWire(last)))} from your point.
            </p>
          ) : null}
        </>
      )}
    </section>
  );
}

/** How old the forecast is that a clearance comes from. */
function ForecastAge({ entry, now }: { entry: StormEntry; now: number }) {
  const { forecast } = entry.tracks;
  if (!forecast) return null;
  const age = `Worked out from a forecast that is ${formatBulletinAge(forecast.issued_at, now)}.`;
  if (!forecast.is_stale) return <p className="text-muted text-xs">{age}</p>;
  return (
    <p className="notice-line text-sm">
      {age} Newer forecasts are missing: the storm may come nearer than this.
    </p>
  );
}
