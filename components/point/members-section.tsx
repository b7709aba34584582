import { useMemo } from "react";
import { scaleText } from "#components/ui/chart.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { shortModelName } from "#lib/model-name.ts";
import type { EnsembleSeries } from "./ensemble-query.ts";
import { memberText } from "./member-text.ts";

/** How many members have strong winds. @param ensemble undefined until it is read. */
export function MembersSentence({ ensemble }: { ensemble: EnsembleSeries | undefined }) {
  const zone = useZone("ensemble");
  const { u: units } = useView("u");
  const { now } = useClock("now");
  const sentence = useMemo(
    () => ensemble && memberText(ensemble, now, units, zone),
    [ensemble, now, units, zone],
  );
  return (
    // The space is reserved, so that the chart does not move when the members arrive.
    <p className="min-h-10 text-pretty text-sm leading-5" aria-live="polite" data-testid="members">
      {sentence}
    </p>
  );
}

/** What the bands of the chart are, and what they are not. */
export function BandsNote({ ensemble: { meta } }: { ensemble: EnsembleSeries }) {
  const { ensemble: texts, language } = useWords("ensemble");
  const [run] = meta.ensembles;
  return run ? (
    <p className="text-muted text-pretty text-xs leading-4" data-testid="bands">
      {texts.bands({
        model: shortModelName(run.model),
        of: run.members.length,
        step: scaleText(run.grid_step, language),
      })}
    </p>
  ) : null;
}
