import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useWords } from "#components/words/words-context.ts";
import type { Alert, AlertList } from "#lib/contract/watch.ts";
import { errorText } from "#lib/messages/fault.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { ageText } from "./age-text.ts";
import { alertsKey, markRead } from "./watch-requests.ts";

interface Props {
  apiKey: string;
  alerts: AlertList;
  watches: Messages["watches"];
  /** Machine's clock, milliseconds. */
  now: number;
  /** Shows older ones too; undefined where there are none. */
  onOlder?: (() => void) | undefined;
}

/** The inbox: what watches found, newest first. */
export function Alerts({ apiKey, alerts, watches, now, onOlder }: Props) {
  const words = useWords();
  const { page } = watches;
  const client = useQueryClient();
  const reading = useMutation({
    mutationFn: (ids?: string[]) => markRead(apiKey, ids),
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
      {alerts.results.length === 0 ? <p className="py-6 text-center text-muted">{page.noAlerts}</p> : null}
      <ul className="mt-3 space-y-3">
        {alerts.results.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            watches={watches}
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
  watches: Messages["watches"];
  age: string;
  onRead(): void;
}

function AlertRow({ alert: { kind, message, read_at }, watches, age, onRead }: RowProps) {
  const { page } = watches;
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
