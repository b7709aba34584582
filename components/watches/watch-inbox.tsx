import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useApiKey, useOwnKey } from "#components/api-client/api-key.tsx";
import { askForKey } from "#components/api-client/key-store.ts";
import { GUEST } from "#components/api-client/saved-replies.ts";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useMachineClock } from "#components/view-state/use-browser.ts";
import { useWords } from "#components/words/words-context.ts";
import type { Alert, Watch } from "#lib/contract/watch.ts";
import { NoticesChoice, useNotices } from "./browser-notices.tsx";
import { WatchDialog } from "./watch-dialog.tsx";
import type { About } from "./watch-draft.ts";
import { Alerts, WatchList } from "./watch-list.tsx";
import { alertsQuery, watchesQuery } from "./watch-requests.ts";

/**
 * Reports alerts that arrive while the page is open, by a browser notification if wanted.
 *
 * @returns The newest of them.
 */
function useNewAlert(alerts: readonly Alert[] | undefined, wanted: boolean): Alert | undefined {
  const seen = useRef<Set<string>>(undefined);
  const [newest, setNewest] = useState<Alert>();
  useEffect(() => {
    if (!alerts) return;
    const known = seen.current;
    const fresh = known ? alerts.filter(({ id, read_at }) => !known.has(id) && read_at === null) : [];
    seen.current = new Set([...(known ?? []), ...alerts.map(({ id }) => id)]);
    if (fresh[0]) setNewest(fresh[0]);
    if (!wanted || !known) return;
    for (const { id, message } of fresh) {
      // The tag prevents several notifications for one alert if several pages are open.
      const notice = new Notification(message.title, {
        body: message.sentence,
        tag: id,
        lang: message.language,
      });
      notice.onclick = () => window.open(message.link, "_self");
    }
  }, [alerts, wanted]);
  return newest;
}

const PAGE = 50;
const MOST = 100;

/** The inbox of alerts and the list of watches. @param children Content below them: the channels. */
export function WatchInbox({ children }: { children?: ReactNode }) {
  const { page } = useWords("watches").watches;
  const key = useOwnKey();
  const isVisitor = useApiKey() === GUEST;
  return (
    <main className="mx-auto w-full max-w-3xl px-4 py-6">
      {key ? <Inbox apiKey={key} /> : <h1 className={HEADING}>{page.heading}</h1>}
      {isVisitor ? (
        <div className="task-row mt-4 space-y-2">
          <p>{page.keyNeeded}</p>
          <button type="button" className="button px-4" onClick={() => askForKey()}>
            {page.enterKey}
          </button>
        </div>
      ) : null}
      {children}
    </main>
  );
}

const HEADING = "font-semibold text-2xl";

function Inbox({ apiKey }: { apiKey: string }) {
  const { page } = useWords("watches").watches;
  const [limit, setLimit] = useState(PAGE);
  const alerts = useQuery(alertsQuery(apiKey, limit));
  const list = useQuery(watchesQuery(apiKey));
  const wanted = useNotices();
  const fresh = useNewAlert(alerts.data?.results, wanted);
  const [form, setForm] = useState<About | Watch>();
  const now = useMachineClock();
  const error = list.error ?? alerts.error;
  const older = alerts.data && alerts.data.results.length >= limit && limit < MOST;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className={HEADING}>{page.heading}</h1>
        <button type="button" className="button primary px-4" onClick={() => setForm({})}>
          {page.add}
        </button>
      </div>
      <p className="sr-only" role="status">
        {fresh ? page.newAlert({ title: fresh.message.title }) : ""}
      </p>
      {error ? (
        <ErrorMessage
          error={error}
          onRetry={() => {
            void list.refetch();
            void alerts.refetch();
          }}
        />
      ) : null}
      {!error && !(alerts.data && list.data) ? <p role="status">{page.reading}</p> : null}
      {alerts.data ? (
        <Alerts
          apiKey={apiKey}
          alerts={alerts.data}
          now={now}
          onOlder={older ? () => setLimit(MOST) : undefined}
        />
      ) : null}
      {list.data ? <WatchList apiKey={apiKey} list={list.data} now={now} onChange={setForm} /> : null}
      <div className="mt-8">
        <NoticesChoice>{page.browser}</NoticesChoice>
      </div>
      {form ? <WatchDialog apiKey={apiKey} about={form} onClose={() => setForm(undefined)} /> : null}
    </>
  );
}
