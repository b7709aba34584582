import { useEffect, useId, useMemo, useRef } from "react";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { SentenceRoom } from "#components/ui/sentence-room.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { useDataUse } from "#components/view-state/device-setting.ts";
import { useChangeView, useView, useZone } from "#components/view-state/view-context.tsx";
import type { PointMeta } from "#lib/contract/point.ts";
import { agreementOf, agreementText, dayText, dayWinds } from "./model-agreement.ts";
import { ModelsTable } from "./models-table.tsx";
import type { PointSample } from "./point-queries.ts";
import { useModels } from "./use-models.ts";

interface Props {
  sample: PointSample;
  /** Meta of the values that the panel shows. */
  meta: PointMeta | undefined;
  /** The days of the panel are there, so that their reply is no longer delayed by that of the models. */
  isReady: boolean;
}

/**
 * Compares the models of the archive at the sampled place: in a sentence, for the day of the map's time in a line, and when
 * that is opened, at the hour in a table. It is absent where the archive has one model.
 */
export function ModelsSection({ sample, meta, isReady }: Props) {
  const { models: isOpen } = useView("models");
  const changeView = useChangeView();
  const isFull = useDataUse() === "full";
  const id = useId();
  const { listed, models, isReading, error, retry } = useModels(sample, isOpen || (isFull && isReady), true);
  const zone = useZone("models");
  const { u: units } = useView("u");
  const { now } = useClock("now");
  const { words } = zone;
  const ofWind = useMemo(() => models?.filter(({ hasWind }) => hasWind) ?? [], [models]);
  const sentence = useMemo(() => {
    const agreement = ofWind.length > 1 ? agreementOf(ofWind, now) : undefined;
    return agreement && agreementText(agreement, now, zone);
  }, [ofWind, now, zone]);
  const day = useMemo(() => {
    const winds = dayWinds(ofWind, sample.time, now, zone);
    return winds && dayText(winds, sample.time, units, zone);
  }, [ofWind, sample.time, now, units, zone]);
  const element = useRef<HTMLElement>(null);
  const wasOpened = useRef(false);
  const isFilled = isOpen && models !== undefined;
  useEffect(() => {
    if (!isFilled || !wasOpened.current) return;
    wasOpened.current = false;
    element.current?.scrollIntoView({ block: "nearest" });
  }, [isFilled]);
  if (listed.length < 2) return null;
  return (
    <section
      ref={element}
      data-testid="models"
      className="text-sm"
      aria-label={words.models.compare({ count: listed.length })}
    >
      {isFull || isOpen ? (
        <p className="min-h-10 text-pretty leading-5 empty:min-h-0" aria-live="polite">
          {sentence ?? (isReading ? <SentenceRoom /> : null)}
        </p>
      ) : null}
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        className="flex min-h-9 w-full items-center gap-1 rounded-md text-left leading-5 hover:bg-page max-md:min-h-11"
        // The lines of earlier runs and of other models could not be told apart in one chart.
        onClick={() => {
          wasOpened.current = !isOpen;
          changeView(isOpen ? { models: false } : { models: true, runs: false });
        }}
      >
        <Icon name={isOpen ? "up" : "down"} />
        <span>{day ?? words.models.compare({ count: listed.length })}</span>
      </button>
      <div id={id}>
        {isOpen && error ? <ErrorMessage error={error} onRetry={retry} /> : null}
        {isOpen && !error && !models ? (
          <p role="status" className="text-muted">
            {words.models.reading}
          </p>
        ) : null}
        {isOpen && models ? <ModelsTable models={models} sample={sample} meta={meta} /> : null}
      </div>
    </section>
  );
}
