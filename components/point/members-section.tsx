import { useMemo } from "react";
import { useClock } from "#components/view-state/clock-context.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import type { EnsembleSeries } from "./ensemble-query.ts";
import { memberText } from "./member-text.ts";

interface Props {
  /** undefined until it is read. */
  ensemble: EnsembleSeries | undefined;
}

/** How many members have strong winds, and what the bands of the chart are and are not. */
export function MembersSection({ ensemble }: Props) {
  const zone = useZone("ensemble");
  const { u: units } = useView("u");
  const { now } = useClock("now");
  const { ensemble: texts } = zone.words;
  const sentence = useMemo(
    () => ensemble && memberText(ensemble, now, units, zone),
    [ensemble, now, units, zone],
  );
  const [run] = ensemble?.meta.ensembles ?? [];
  return (
    // The space is reserved, so that the chart does not move when the members arrive.
    <div className="min-h-18 text-pretty text-sm leading-5" aria-live="polite" data-testid="members">
      <p>{sentence}</p>
      {run ? (
        <p className="text-muted text-xs leading-4">
          {texts.bands({ model: run.model, of: run.members.length })}
        </p>
      ) : null}
    </div>
  );
}
