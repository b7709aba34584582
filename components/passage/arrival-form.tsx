import "#components/api-client/without-eval.ts";
import { useQuery } from "@tanstack/react-query";
import type { ServiceError } from "#components/api-client/api-fetch.ts";
import { nearestStationQuery } from "#components/api-client/tide-queries.ts";
import { TimeField } from "#components/fields/time-field.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { changePlan } from "#components/view-state/plan.ts";
import type { Plan } from "#lib/contract/passage.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { daylights } from "#lib/passage/limits.ts";
import { NEAR_KM } from "#lib/tides/limits.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { hoursText, type PassageStyle, usePassageStyle } from "./passage-format.tsx";

type Wish = NonNullable<Plan["arrive"]>;

/** Hours before and after high water that can be chosen. */
const aroundHighWater = [1, 2, 3] as const;

interface Props {
  plan: Plan;
  apiKey: string;
}

/** How the vessel should arrive, folded away under a summary of it. */
export function ArrivalForm({ plan, apiKey }: Props) {
  const style = usePassageStyle();
  const { words, zone } = style;
  const { arrive: text } = words.leave;
  const { now } = useClock("now");
  const wish = plan.arrive ?? {};
  const change = (part: Wish, of: string) => {
    const entries = Object.entries({ ...wish, ...part }).filter(([, value]) => value !== undefined);
    const arrive = entries.length > 0 ? (Object.fromEntries(entries) as Wish) : undefined;
    changePlan({ arrive }, `arrive ${of}`);
  };
  const hours = wish.high_water?.to_h;
  return (
    <details>
      <summary>{text.summary({ text: wishText(plan.arrive, style) })}</summary>
      <div className="flex flex-col gap-2.5 py-1">
        <TimeField
          label={text.by({ clock: zone.label(now) })}
          zone={zone}
          now={now}
          time={wish.by === undefined ? undefined : parseInstant(wish.by)}
          onEmpty={() => change({ by: undefined }, "by")}
          onChange={(time) => change({ by: formatInstant(time) }, "by")}
        />
        <Choice
          title={text.sun}
          options={(["any", ...daylights] as const).map((one) => [one, text.daylight[one]] as const)}
          value={wish.daylight ?? "any"}
          onChange={(next) => change({ daylight: next === "any" ? undefined : next }, "daylight")}
        />
        <Choice
          title={text.tide}
          options={[
            ["any", text.anyTide] as const,
            ...aroundHighWater.map((count) => [String(count), highWaterText(count, style)] as const),
          ]}
          value={hours === undefined ? "any" : String(hours)}
          onChange={(next) => {
            const around = next === "any" ? undefined : { from_h: -Number(next), to_h: Number(next) };
            change({ high_water: around }, "high water");
          }}
        />
        {hours === undefined ? null : <NearestStation plan={plan} apiKey={apiKey} />}
      </div>
    </details>
  );
}

/** The station that answers for the last waypoint; an answer without one is an error, which says so. */
function NearestStation({ plan: { route }, apiKey }: Props) {
  const style = usePassageStyle();
  const { arrive: text } = style.words.leave;
  const { data: station } = useQuery({
    ...nearestStationQuery(apiKey, route.at(-1)!, "tide"),
    enabled: route.length > 0,
  });
  const km = station?.water_km;
  return (
    <p role="status" className="text-sm">
      {station && typeof km === "number"
        ? text.station({ station: station.name, distance: formatMiles(km, style.zone.words) })
        : ""}
    </p>
  );
}

/** An error in the words of the page if it is that no station predicts the high water of the arrival. */
export function withArrivalWords(error: Error, { words, zone }: PassageStyle): Error {
  const { fault } = error as Partial<ServiceError>;
  const issues = fault?.is === "rejected" ? (fault.issues ?? []) : [];
  if (!issues.some(({ loc }) => loc?.[1] === "arrive" && loc[2] === "high_water")) return error;
  const distance = formatMiles(NEAR_KM, zone.words);
  return new Error(words.leave.arrive.noStation({ distance }), { cause: error });
}

const highWaterText = (hours: number, style: PassageStyle) =>
  style.words.leave.arrive.highWater({ hours: hoursText(hours, style.zone.words, false) });

/** The wish in a few words: `by Sun 20 Sep 12:00, daylight at both ends, HW ± 2 h`. */
export function wishText(wish: Plan["arrive"], style: PassageStyle): string {
  const { arrive: text } = style.words.leave;
  if (!wish) return text.any;
  const { by, daylight, high_water: tide } = wish;
  return [
    by === undefined ? "" : text.byTime({ when: formatShortTime(parseInstant(by), style.zone) }),
    daylight ? text.inText[daylight] : "",
    tide ? highWaterText(tide.to_h, style) : "",
  ]
    .filter(Boolean)
    .join(style.zone.words.ui.joins.clauses);
}
