import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { alertService, watchService } from "#components/api-client/watch-service.ts";
import { formatMinutes } from "#components/view-state/format-time.ts";
import { useWords } from "#components/words/words-context.ts";
import type { Alert, AlertList, Watch } from "#lib/contract/watch.ts";
import { errorText } from "#lib/messages/fault.ts";
import { inUnit } from "#lib/messages/number.ts";
import type { Words, WordsWith } from "#lib/messages/words.ts";
import { rowOf } from "#lib/watches/quantities.ts";
import { alertsKey, restoreWatch, saveWatch, sentOf, watchesKey } from "./watch-requests.ts";

interface Props {
  apiKey: string;
  list: readonly Watch[];
  /** System clock, milliseconds. */
  now: number;
  onChange(watch: Watch): void;
}

/** The last action: a sentence for the announcement, and how to undo it. */
interface Done {
  text: string;
  deleted?: Watch;
}

/** The watches of the key's owner, with their last results. */
export function WatchList({ apiKey, list, now, onChange }: Props) {
  const words = useWords("watches");
  const { page } = words.watches;
  const service = watchService(apiKey);
  const client = useQueryClient();
  const [done, setDone] = useState<Done>();
  const action = useMutation({
    mutationFn: (work: () => Promise<Done | undefined>) => work(),
    onSuccess: setDone,
    onError: () => setDone(undefined),
    onSettled: () =>
      Promise.all([watchesKey, alertsKey].map((of) => client.invalidateQueries({ queryKey: of(apiKey) }))),
  });
  const { isPending } = action;
  const run = (work: () => Promise<Done | undefined>) => {
    if (!isPending) action.mutate(work);
  };
  const { deleted } = done ?? {};
  return (
    <section aria-labelledby="watches" className="mt-8">
      <h2 id="watches" className="font-semibold text-lg">
        {page.list}
      </h2>
      <div role="status" className="flex flex-wrap items-center gap-2 text-[0.875rem]">
        {done ? (
          <>
            <span>{done.text}</span>
            {deleted ? (
              <button
                type="button"
                className="toggle"
                // Undo is available immediately, while the lists are still being read again after the
                // deletion.
                onClick={() => action.mutate(() => restoreWatch(apiKey, deleted).then(() => undefined))}
              >
                {page.undo}
              </button>
            ) : null}
          </>
        ) : null}
      </div>
      {action.error ? <p role="alert">{errorText(action.error, words)}</p> : null}
      {list.length === 0 ? <p className="mt-1 text-muted text-sm">{page.noWatches}</p> : null}
      <ul className="mt-3 space-y-3">
        {list.map((watch) => {
          const more = <span className="sr-only">{page.ofWatch({ name: watch.name })}</span>;
          const { id, paused, state } = watch;
          const pause = { ...sentOf(watch), paused: !paused };
          const actions: [key: string, label: string, act: () => void][] = [
            ["test", page.test, () => run(() => service.test(id).then(() => ({ text: page.tested })))],
            ["edit", page.edit, () => onChange(watch)],
            [
              "pause",
              paused ? page.resume : page.pause,
              () => run(() => saveWatch(apiKey, pause, id).then(() => undefined)),
            ],
            [
              "delete",
              page.delete,
              () => run(() => service.delete(id).then(() => ({ text: page.deleted(watch), deleted: watch }))),
            ],
          ];
          // An expired watch can be neither paused nor resumed.
          if (state === "expired") actions.splice(2, 1);
          return (
            <li key={id} className="task-row">
              <WatchFacts watch={watch} now={now} />
              <div className="mt-2 flex flex-wrap gap-2">
                {actions.map(([key, label, act]) => (
                  <button
                    key={key}
                    type="button"
                    className="toggle"
                    // The button stays focusable, which a disabled one would not.
                    aria-disabled={isPending && key !== "edit"}
                    onClick={act}
                  >
                    {label}
                    {more}
                  </button>
                ))}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function WatchFacts({ watch, now }: { watch: Watch; now: number }) {
  const words = useWords("watches");
  const { page } = words.watches;
  const { name, state, found, evaluated_at, language } = watch;
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-2">
        <h3 className="font-semibold">{name}</h3>
        <span
          className="pill"
          data-mood={state === "firing" ? "watch" : state === "failed" ? "ill" : undefined}
        >
          {page.states[state]}
        </span>
        {evaluated_at ? (
          <span className="text-muted text-sm">
            {page.evaluated({ age: ageText(evaluated_at, now, words) })}
          </span>
        ) : null}
      </div>
      <p className="mt-1 text-muted text-sm">{questionText(watch, words)}</p>
      {found?.sentence ? (
        <p className="mt-1 text-pretty text-sm" lang={language}>
          {found.sentence}
        </p>
      ) : null}
    </>
  );
}

/** Text such as `Gusts over 30 kn · Significant wave height over 3 m · 48 h · Most of 3 models`. */
export function questionText({ question }: Pick<Watch, "question">, words: WordsWith<"watches">): string {
  if (question.kind === "new_run")
    return [words.watches.form.kinds.run, ...(question.source ? [question.source] : [])].join(" · ");
  const { catalog, dates, watches } = words;
  const units: Readonly<Record<string, { symbol: string }>> = catalog.units;
  const limits = question.conditions.map(({ quantity, over, under }) => {
    const { unit } = rowOf(quantity);
    const symbol = unit === "n mi" ? catalog.nauticalMile : (units[unit]?.symbol ?? unit);
    const limit = inUnit(String(over ?? under), symbol, words);
    return `${watches.quantities[quantity]} ${over === undefined ? watches.under({ limit }) : watches.over({ limit })}`;
  });
  if (question.kind === "tide_extreme") {
    const { type, minutes_before: count, coefficient } = question;
    const before = count > 0 ? [watches.before({ span: dates.minutes({ count }) })] : [];
    const least = coefficient === undefined ? [] : [`${watches.form.filters.coefficient} ${coefficient}`];
    return [
      type === "either" ? watches.form.kinds.extreme : watches.extremes[type],
      ...limits,
      ...least,
      ...before,
    ].join(" · ");
  }
  const span =
    question.kind === "route" ? [watches.form.routeName] : [dates.hours({ count: question.window_hours })];
  const { models = [], agree = "any" } = question.kind === "tide" ? {} : question;
  const byModel = models.length > 0 ? [watches.form.agree[agree]({ count: models.length })] : [];
  return [...limits, ...span, ...byModel].join(" · ");
}

interface AlertsProps {
  apiKey: string;
  alerts: AlertList;
  /** System clock, milliseconds. */
  now: number;
  /** Shows older ones too; undefined if there are none. */
  onOlder?: (() => void) | undefined;
}

/** The inbox: what watches found, newest first. */
export function Alerts({ apiKey, alerts, now, onOlder }: AlertsProps) {
  const words = useWords("watches");
  const { page } = words.watches;
  const client = useQueryClient();
  const reading = useMutation({
    // Without ids all alerts are marked as read.
    mutationFn: (ids?: string[]) => alertService(apiKey).read({ ids }),
    onSettled: () => client.invalidateQueries({ queryKey: alertsKey(apiKey) }),
  });
  return (
    <section aria-labelledby="alerts" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="alerts" className="font-semibold text-lg">
          {page.inbox}
          {alerts.unread > 0 ? (
            <span className="pill ms-2" data-mood="watch">
              {page.unread({ count: alerts.unread })}
            </span>
          ) : null}
        </h2>
        {alerts.unread > 0 ? (
          <button type="button" className="toggle" onClick={() => reading.mutate(undefined)}>
            {page.markAll}
          </button>
        ) : null}
      </div>
      {reading.error ? <p role="alert">{errorText(reading.error, words)}</p> : null}
      {alerts.results.length === 0 ? <p className="mt-1 text-muted text-sm">{page.noAlerts}</p> : null}
      <ul className="mt-3 space-y-3">
        {alerts.results.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            age={ageText(alert.created_at, now, words)}
            onRead={() => reading.mutate([alert.id])}
          />
        ))}
      </ul>
      {onOlder ? (
        <button type="button" className="toggle mt-3" onClick={onOlder}>
          {page.older}
        </button>
      ) : null}
    </section>
  );
}

interface RowProps {
  alert: Alert;
  age: string;
  onRead(): void;
}

function AlertRow({ alert: { kind, message, read_at }, age, onRead }: RowProps) {
  const { page } = useWords("watches").watches;
  const more = <span className="sr-only">{page.ofWatch({ name: message.title })}</span>;
  return (
    <li className="task-row" data-unread={read_at === null}>
      <div className="flex flex-wrap items-baseline gap-2">
        <span className="pill" data-mood={kind === "fired" ? "watch" : undefined}>
          {page.kinds[kind]}
        </span>
        <h3 className="font-semibold" lang={message.language}>
          {message.title}
        </h3>
        <span className="text-muted text-sm">{age}</span>
      </div>
      <p className="mt-1 text-pretty text-sm" lang={message.language}>
        {message.sentence}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <a
          className="toggle link-button"
          href={message.link}
          onClick={() => (read_at === null ? onRead() : undefined)}
        >
          {page.openMap}
          {more}
        </a>
        {read_at === null ? (
          <button type="button" className="toggle" onClick={onRead}>
            {page.markRead}
            {more}
          </button>
        ) : null}
      </div>
    </li>
  );
}

/**
 * Text such as `12 min ago`; `just now` if the device's clock is slow. @param instant ISO 8601. @param now
 * Milliseconds.
 */
export const ageText = (instant: string, now: number, words: Words) =>
  formatMinutes(Math.min(Date.parse(instant), now) / 1000, now / 1000, words);
