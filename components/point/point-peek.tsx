import { useQuery } from "@tanstack/react-query";
import type { Place } from "#components/view-state/view-url.ts";
import type { Units } from "#lib/units.ts";
import { keyValues } from "./format-conditions.ts";
import { pointQuery } from "./point-queries.ts";

interface Props {
  apiKey: string;
  place: Place;
  /** Unix seconds. */
  time: number;
  units: Units;
}

/** What matters most at the sampled point, for the low panel of a phone. */
export function PointPeek({ apiKey, place, time, units }: Props) {
  const { data } = useQuery(pointQuery(apiKey, place, time));
  const conditions = data?.results[0]?.conditions;
  return (
    <dl className="grid grid-cols-3 gap-2 text-xs">
      {(conditions ? keyValues(conditions, units) : []).map(({ name, text }) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted">{name}</dt>
          <dd className="truncate font-medium text-sm">{text.split(/,| from| setting/)[0]}</dd>
        </div>
      ))}
    </dl>
  );
}
