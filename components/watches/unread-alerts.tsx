import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useDataUse } from "#components/view-state/device-setting.ts";
import { useWords } from "#components/words/words-context.ts";
import { alertsQuery } from "./watch-requests.ts";

/** Milliseconds between two looks, and where every byte counts. */
const [READ_MS, RARELY_MS] = [60_000, 600_000];

/** How many alerts are not read, in words: said when there are more, and told to whoever shows it. */
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
    // They are gone with the key.
    return () => onText(undefined);
  }, [onText, text]);
  const newest = data?.results[0];
  return (
    <p role="status" className="sr-only">
      {newest && newest.read_at === null ? page.newAlert({ title: newest.message.title }) : ""}
    </p>
  );
}
