import { changePlan } from "#components/view-state/plan.ts";
import type { PlanWithVessel } from "#lib/contract/plan.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { formatUngrouped } from "#lib/messages/number.ts";
import { defaultLimits, type LimitName, limitNames } from "#lib/passage/limits.ts";
import { NumberField } from "./number-field.tsx";
import type { PassageStyle } from "./passage-format.ts";

/** A limit as it is typed: distances in nautical miles, all else as the service takes it. */
const scales: Partial<Record<LimitName, number>> = { storm_km: 1 / MILE_KM };

const HIGHEST = 10_000;

/** Each limit with its number. Those that are not changed are the usual ones of the vessel's kind. */
export function LimitsForm({ plan, style }: { plan: PlanWithVessel; style: PassageStyle }) {
  const { limits: names, limitsForm: words } = style.words;
  const { language } = style.zone.words;
  const usual = defaultLimits[plan.vessel.kind];
  const change = (name: LimitName, value: number | null) =>
    changePlan({ limits: { ...plan.limits, [name]: value } }, `limit ${name}`);
  return (
    <fieldset className="passage-form">
      <legend className="font-semibold">{words.title}</legend>
      <p className="text-muted text-xs">{words.about}</p>
      <div className="passage-fields">
        {limitNames.map((name) => {
          const scale = scales[name] ?? 1;
          const value = plan.limits?.[name] === undefined ? usual[name] : plan.limits[name];
          const inMiles = (km: number) => (scale === 1 ? km : Math.round(km * scale));
          const most = inMiles(usual[name] ?? 0);
          return (
            <NumberField
              key={name}
              label={`${names[name]}, ${words.units[unitOf(name)]}`}
              value={value === null ? undefined : inMiles(value)}
              low={0}
              high={HIGHEST}
              wrong={boundsText(0, HIGHEST, style)}
              hint={
                value === null
                  ? words.off
                  : words.usual({ value: formatUngrouped(most, decimalsOf(most), language) })
              }
              onEmpty={() => change(name, null)}
              onChange={(typed) => change(name, scale === 1 ? typed : Math.round(typed) / scale)}
            />
          );
        })}
      </div>
      {plan.limits === undefined ? null : (
        <button
          type="button"
          className="button px-3"
          onClick={() => changePlan({ limits: undefined }, "limits")}
        >
          {words.reset}
        </button>
      )}
    </fieldset>
  );
}

/** `A number from 0 to 100.` */
export function boundsText(low: number, high: number, { words, zone }: PassageStyle): string {
  const text = (value: number) => formatUngrouped(value, decimalsOf(value), zone.words.language);
  return words.vessel.wrong({ low: text(low), high: text(high) });
}

/** The unit in the name of a limit. */
function unitOf(name: LimitName): "knots" | "m" | "g" | "mm_h" | "j_kg" | "miles" {
  if (name === "storm_km") return "miles";
  if (name === "rain_mm_h") return "mm_h";
  if (name === "cape_j_kg") return "j_kg";
  if (name.endsWith("_kt")) return "knots";
  return name.endsWith("_g") ? "g" : "m";
}

const decimalsOf = (value: number) => (Number.isInteger(value) ? 0 : Number.isInteger(value * 10) ? 1 : 2);
