import { useQuery } from "@tanstack/react-query";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { type Prediction, spanAround, tideQuery } from "#components/api-client/tide-queries.ts";
import { Button } from "#components/ui/button.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime, formatZonedTime } from "#components/view-state/format-time.ts";
import { useView, useZone } from "#components/view-state/view-context.tsx";
import type { Place } from "#lib/geo/sphere.ts";
import { streamAt, tideAt } from "#lib/tides/reading.ts";
import { textIn } from "#lib/units.ts";
import { formatStream, formatStreamNow, formatTideNow, heightUnit } from "./format-tide.ts";

/** The station of the view at the time of the map. */
function useStation() {
  const key = useApiKey();
  const { tide: id } = useView().view;
  const { time } = useClock();
  const isKnown = key !== undefined && id !== null && time !== undefined;
  const query = useQuery({
    ...tideQuery(key ?? "", id ?? "", spanAround(time ?? 0)),
    enabled: isKnown,
    // Of the same station, while that of another day is on its way.
    placeholderData: (before) => (before?.station.id === id ? before : undefined),
  });
  return { ...query, id: id ?? "", time: time ?? 0 };
}

interface Props {
  onClose(): void;
  /** Moves the map to the station. */
  onCentre(place: Place): void;
}

/** Tide or stream of a station: now, and what comes next. */
export function TidePanel({ onClose, onCentre }: Props) {
  const { tides } = useZone("tides").words;
  const { data, error, refetch, id, time } = useStation();
  const isUnknown = error instanceof ServiceError && error.status === 404;
  return (
    <section aria-label={data?.station.name ?? id} className="space-y-3">
      <div className="flex items-start justify-between gap-1">
        <h2 data-opened className="min-w-0 font-semibold">
          {data ? (
            <button type="button" className="text-left" onClick={() => onCentre(data.station)}>
              {data.station.name}
            </button>
          ) : (
            id
          )}
        </h2>
        <Button className="plain shrink-0" aria-label={tides.close} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      {isUnknown ? (
        <p role="alert">{tides.unknown({ id })}</p>
      ) : error ? (
        <ErrorMessage error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Station prediction={data} time={time} />
      ) : (
        <p role="status">{tides.reading}</p>
      )}
    </section>
  );
}

function Station({ prediction, time }: { prediction: Prediction; time: number }) {
  const { view } = useView();
  const zone = useZone("tides");
  const { tides } = zone.words;
  const { now, next } = useAnswer(prediction, time);
  return (
    <>
      <p className="font-semibold text-lg">{now}</p>
      <dl className="text-sm">
        {next.map((event) => (
          <div key={event.type} className="flex justify-between gap-4 py-1">
            <dt className="text-muted">{tides.events[event.type]}</dt>
            <dd className="font-medium tabular-nums">
              {formatShortTime(event.time, zone)}{" "}
              {"height" in event
                ? textIn(event.height, heightUnit(view.u, zone.words))
                : event.speed > 0
                  ? formatStream(event.speed, view.u, zone.words)
                  : ""}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-muted text-xs">
        {prediction.kind === "tide" ? `${tides.above({ datum: prediction.datum })}. ` : ""}
        {tides.withoutWeather} {prediction.attribution}
      </p>
    </>
  );
}

/** What is at the time, and what comes next. */
function useAnswer(prediction: Prediction, time: number) {
  const { view } = useView();
  const { words } = useZone("tides");
  if (prediction.kind === "tide") {
    const reading = tideAt(prediction, time);
    return { now: reading && formatTideNow(reading, view.u, words), next: reading?.next ?? [] };
  }
  const reading = streamAt(prediction, time);
  return { now: reading && formatStreamNow(reading, view.u, words), next: reading?.next ?? [] };
}

/** The same in two lines, for the low panel of a phone. */
export function TidePeek() {
  const zone = useZone("tides");
  const { data, error, time, id } = useStation();
  if (!data) return <p className="text-muted text-sm">{error ? id : zone.words.tides.reading}</p>;
  return <Peek prediction={data} time={time} />;
}

function Peek({ prediction, time }: { prediction: Prediction; time: number }) {
  const zone = useZone("tides");
  const { now, next } = useAnswer(prediction, time);
  return (
    <p className="text-sm">
      <span className="peek-place">
        {prediction.station.name} · {formatZonedTime(time, zone)}
      </span>
      <strong className="block truncate">
        {[
          now,
          ...next
            .slice(0, 1)
            .map((event) => `${zone.words.tides.events[event.type]} ${formatShortTime(event.time, zone)}`),
        ].join(" · ")}
      </strong>
    </p>
  );
}
