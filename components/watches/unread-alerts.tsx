import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useDataUse } from "#components/view-state/device-setting.ts";
import { useWords } from "#components/words/words-context.ts";
import { alertsQuery } from "./watch-requests.ts";

/** Interval between requests, normally and with restricted data use, milliseconds. */
const [READ_MS, RARELY_MS] = [60_000, 600_000];

/** Number of unread alerts in words: announced when it grows, and passed to the parent for display. */
export function UnreadAlerts({ apiKey, onText }: { apiKey: string; onText(text?: string): void }) {
  const { page } = useWords("watches").watches;
  const refetchInterval = useDataUse() === "full" ? READ_MS : RARELY_MS;
  const { data } = useQuery({
    ...alertsQuery(apiKey, 1),
    refetchInterval,
    refetchIntervalInBackground: false,
  });
  const text = data && data.unread > 0 ? page.unread({ count: data.unread }) : undefined;
  useEffect(() => {
    onText(text);
    // The number is cleared when the key changes.
    return () => onText(undefined);
  }, [onText, text]);
  const newest = data?.results[0];
  return (
    <p role="status" className="sr-only">
      {newest && newest.read_at === null ? page.newAlert({ title: newest.message.title }) : ""}
    </p>
  );
}
