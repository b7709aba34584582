import "#components/api-client/without-eval.ts";
import type { Place } from "@open-metocean/geo/sphere";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import {
  type AskedHeights,
  hasAsked,
  type Prediction,
  spanAround,
  tideFile,
  tideQuery,
} from "#components/api-client/tide-queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { saveFile } from "#components/ui/save-file.ts";
import { addDays, addMonths, type CivilDate, civilOf, zoneWith } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatClock, formatMonth, formatZonedTime } from "#components/view-state/format-time.ts";
import { forgetPort } from "#components/view-state/own-ports.ts";
import { useChangeView, useView, useZone } from "#components/view-state/view-context.tsx";
import { type TidePrediction, tideLimits } from "#lib/contract/tides.ts";
import { offsetAt } from "#lib/tides/local-day.ts";
import { valueAt } from "#lib/tides/reading.ts";
import { nameText, nowOf } from "./format-tide.ts";
import { OwnPortForm, useOwnPort } from "./own-port.tsx";
import { PrintedMonth } from "./printed-month.tsx";
import { placeText, StationCard, type StationCardProps } from "./station-card.tsx";

/** The prediction of the view's station at the time of the map. */
function useStation() {
  const key = useApiKey();
  const { tide: id, datum } = useView("tide", "datum");
  const port = useOwnPort(id ?? "");
  const { time = 0 } = useClock("time");
  const client = useQueryClient();
  const asked = { ...(datum !== null && { datum }), ...port?.differences };
  const span = spanAround(time, asked);
  const query = useQuery({
    ...tideQuery(key ?? "", id ?? "", span),
    enabled: key !== undefined && id !== null && time > 0,
    // A prediction of the same station stays while that of another day loads.
    placeholderData: (before) => (before?.station.id === id ? before : undefined),
  });
  // Numbers with other differences must not be shown under this name.
  const reaches = (one: Prediction | undefined) =>
    one !== undefined && valueAt(one, time) !== undefined && hasAsked(one, asked);
  const held = () =>
    client
      .getQueriesData<Prediction>({ queryKey: ["tide", key, id] })
      .find(([name, one]) => (name[3] as typeof span).datum === span.datum && reaches(one))?.[1];
  const data = reaches(query.data) ? query.data : (held() ?? query.data);
  return { ...query, data, isReached: reaches(data), key, id: id ?? "", port, asked, time };
}

interface Props extends Pick<StationCardProps, "withPressure"> {
  onClose(): void;
  /** Moves the map to the station. */
  onCentre(place: Place): void;
  /** Called when the station is read. */
  onRead?: (place: Place) => void;
  /** Watches the height at the station. */
  onWatch(tide: TidePrediction): void;
  /** Prints the page; undefined while printing. */
  print: (() => void) | undefined;
}

/** Tide or stream of a station: the present state and the next events. */
export function TidePanel({ onClose, onCentre, onRead, onWatch, print, withPressure }: Props) {
  const zone = useZone("tides");
  const { tides } = zone.words;
  const view = useView("port", "p", "datum");
  const changeView = useChangeView();
  const { data, isReached, isPlaceholderData, error, refetch, key, id, port, asked, time } = useStation();
  const { status = 0 } = error instanceof ServiceError ? error : {};
  const name = data && nameText(data, port, zone.words);
  const station = data?.station;
  useEffect(() => {
    if (station) onRead?.(station);
  }, [station, onRead]);
  // The address gets the port too, so that a copied link contains it.
  useEffect(() => {
    if (view.port === null && port) changeView({ port });
  }, [view.port, port, changeView]);
  const removePort = () => {
    if (port) forgetPort(id, port);
    changeView({ port: null });
  };
  return (
    <section aria-label={name ?? zone.words.screen.panel.tide} className="space-y-2">
      <div className="flex items-start justify-between gap-1">
        <div className="min-w-0">
          {data ? (
            <>
              <h2 data-opened className="font-semibold">
                {name}
              </h2>
              <p className="place-line">{placeText(data, view.p, zone)}</p>
            </>
          ) : null}
        </div>
        <div className="flex shrink-0">
          {data && key ? (
            <StationMenu
              key={data.station.id}
              station={data}
              asked={asked}
              name={name!}
              apiKey={key}
              time={time}
              print={print}
            >
              {(close) => (
                <>
                  {data.kind === "tide" && !port ? (
                    <button
                      type="button"
                      className="button px-3"
                      onClick={() => {
                        close();
                        onWatch(data);
                      }}
                    >
                      {tides.watch}
                    </button>
                  ) : null}
                  <button
                    type="button"
                    className="button px-3"
                    onClick={() => {
                      close();
                      onCentre(data.station);
                    }}
                  >
                    {tides.centre}
                  </button>
                </>
              )}
            </StationMenu>
          ) : null}
          <Button className="plain" aria-label={tides.close} onClick={onClose}>
            <Icon name="close" />
          </Button>
        </div>
      </div>
      {status === 404 ? (
        <>
          <p role="alert">{tides.unknown({ id })}</p>
          <Button onClick={onClose}>{tides.close}</Button>
        </>
      ) : data && isReached ? (
        <StationCard prediction={data} time={time} withPressure={withPressure} />
      ) : error ? (
        <>
          {status === 422 && port ? (
            <>
              <p role="alert">{tides.port.refused}</p>
              <Button onClick={removePort}>{tides.port.remove}</Button>
            </>
          ) : (
            <ErrorMessage error={error} onRetry={() => void refetch()} />
          )}
          {status === 422 && view.datum !== null ? (
            <Button onClick={() => changeView({ datum: null })}>{tides.chartDatum}</Button>
          ) : null}
        </>
      ) : (
        <p role="status">{data && !isPlaceholderData ? tides.notSaved : tides.reading}</p>
      )}
      {data ? <OwnPortForm prediction={data} port={port} onRemove={removePort} /> : null}
    </section>
  );
}

interface MenuProps extends Pick<Props, "print"> {
  station: Prediction;
  /** Datum and differences of the heights. */
  asked: AskedHeights;
  /** Name of the station, or of the user's own port. */
  name: string;
  apiKey: string;
  /** Time of the map, Unix seconds; its month is offered first. */
  time: number;
  /** Additional actions. */
  children(close: () => void): ReactNode;
}

/** Menu with the datum, and a month of the station for printing and as a calendar or a table. */
function StationMenu({
  station: { station, ...prediction },
  apiKey,
  time,
  print,
  children,
  ...of
}: MenuProps) {
  const { words } = useZone("tides");
  const { tides, point } = words;
  const changeView = useChangeView();
  const client = useQueryClient();
  const [months, setMonths] = useState(0);
  const [printed, setPrinted] = useState<Prediction>();
  const endPrint = useCallback(() => setPrinted(undefined), []);
  const clock = zoneWith((at) => offsetAt(at, station.timezone), words);
  const month = addMonths({ ...civilOf(time, clock), day: 1 }, months);
  const { first, last } = tideLimits.years;
  const span = { from: dayText(month), to: dayText(addDays(addMonths(month, 1), -1)) };
  const asked = { ...span, ...of.asked };
  const step = (by: 1 | -1, label: string) => (
    <Button
      className="plain"
      aria-label={label}
      disabled={by < 0 ? month.year <= first && month.month === 1 : month.year >= last && month.month === 12}
      onClick={() => setMonths(months + by)}
    >
      <Icon name={by < 0 ? "back" : "forward"} />
    </Button>
  );
  const save = async (f: "ics" | "csv") =>
    saveFile(`${of.name} ${span.from.slice(0, 7)}.${f}`, await tideFile(apiKey, station.id, asked, f));
  const actions = {
    print: async () => {
      setPrinted(await client.fetchQuery(tideQuery(apiKey, station.id, asked)));
      print?.();
    },
    calendar: () => save("ics"),
    csv: () => save("csv"),
  };
  // The action is stored by name, so that a retry applies to the month displayed at that time.
  const action = useMutation({ mutationFn: (name: keyof typeof actions) => actions[name]() });
  const datums = "datums" in prediction ? Object.keys(prediction.datums) : [];
  return (
    <>
      <Menu plain align="right" label={point.more} button={<Icon name="more" />}>
        {(close) => (
          <div className="menu-list">
            {"datum" in prediction && datums.length > 1 ? (
              <div className="px-3 pb-2">
                <Choice
                  title={tides.datum}
                  options={datums.map((name) => [name, name] as const)}
                  value={prediction.datum}
                  onChange={(datum) => changeView({ datum: datum === station.datum ? null : datum })}
                />
              </div>
            ) : null}
            <div className="flex items-center justify-between gap-2 px-1">
              {step(-1, tides.monthBefore)}
              <span aria-live="polite" className="text-sm">
                {formatMonth(month, words)}
              </span>
              {step(1, tides.monthAfter)}
            </div>
            <button
              type="button"
              className="button px-3"
              disabled={!print}
              onClick={() => action.mutate("print")}
            >
              {tides.printMonth}
            </button>
            <button type="button" className="button px-3" onClick={() => action.mutate("calendar")}>
              {station.kind === "tide" ? tides.calendar.tide : tides.calendar.stream}
            </button>
            <button type="button" className="button px-3" onClick={() => action.mutate("csv")}>
              {tides.table}
            </button>
            {action.error ? (
              <div className="max-w-72 px-3">
                <ErrorMessage error={action.error} onRetry={() => action.mutate(action.variables)} />
              </div>
            ) : null}
            {children(close)}
          </div>
        )}
      </Menu>
      {printed ? <PrintedMonth month={printed} onEnd={endPrint} /> : null}
    </>
  );
}

const two = (number: number) => String(number).padStart(2, "0");
const dayText = ({ year, month, day }: CivilDate) => `${year}-${two(month)}-${two(day)}`;

/** The present state and the next events in two lines, for the low panel of a phone. */
export function TidePeek() {
  const zone = useZone("tides");
  const view = useView("u");
  const { tides } = zone.words;
  const { data, isReached, isPlaceholderData, error, time, id, port } = useStation();
  const now = data && isReached ? nowOf(data, time, view.u, zone.words) : undefined;
  if (!data || !now) {
    const waiting = data && !isPlaceholderData ? tides.notSaved : tides.reading;
    return <p className="text-muted text-sm">{error ? tides.unread({ id }) : waiting}</p>;
  }
  return (
    <>
      <p className="peek-place">
        {nameText(data, port, zone.words)} · {formatZonedTime(time, zone)}
      </p>
      <p className="peek-line">
        <span>{now.text}</span>
        {now.next.map((event) => (
          <span key={event.type}>
            {tides.short[event.type]} {formatClock(event.time, zone)}
          </span>
        ))}
      </p>
    </>
  );
}
