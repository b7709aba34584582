import { useQuery } from "@tanstack/react-query";
import { useView } from "#components/view-state/view-context.tsx";
import { keyValues } from "./format-conditions.ts";
import { type PointSample, pointQuery } from "./point-queries.ts";
import { usePointSample } from "./use-point-sample.ts";

/** What matters most at the sampled point, for the low panel of a phone. @param enabled Conditions may be requested. */
export function PointPeek({ enabled }: { enabled: boolean }) {
  const sample = usePointSample(enabled);
  if (!sample) return <p className="text-muted text-sm">Tap the sea for its conditions.</p>;
  return <Values {...sample} />;
}

function Values(sample: PointSample) {
  const { view } = useView();
  const { data } = useQuery(pointQuery(sample));
  const conditions = data?.results[0]?.conditions;
  return (
    <dl className="grid grid-cols-3 gap-2 text-xs">
      {(conditions ? keyValues(conditions, view.u) : []).map(({ name, text }) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted">{name}</dt>
          <dd className="truncate font-medium text-sm">{text.split(/,| from| setting/)[0]}</dd>
        </div>
      ))}
    </dl>
  );
}
