import { useMemo } from "react";
import { scaleText } from "#components/ui/chart.ts";
import { SentenceRoom } from "#components/ui/sentence-room.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { shortModelName } from "#lib/model-name.ts";
import type { EnsembleSeries } from "./ensemble-query.ts";
import { memberText } from "./member-text.ts";

interface SentenceProps {
  ensemble: EnsembleSeries | undefined;
  isReading?: boolean;
}

/** A sentence that counts the members with strong winds; empty where none is known. */
export function MembersSentence({ ensemble, isReading = false }: SentenceProps) {
  const zone = useZone("ensemble");
  const { u: units } = useView("u");
  const { now } = useClock("now");
  const sentence = useMemo(
    () => ensemble && memberText(ensemble, now, units, zone),
    [ensemble, now, units, zone],
  );
  return (
    <p
      className="min-h-10 text-pretty text-sm leading-5 empty:min-h-0"
      aria-live="polite"
      data-testid="members"
    >
      {sentence ?? (isReading ? <SentenceRoom /> : null)}
    </p>
  );
}

/** A note on what the bands of the chart are, and on what they are not. */
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
