import { useState } from "react";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useWords } from "#components/words/words-context.ts";
import { closeCalendar, openCalendar } from "./channel-requests.ts";
import { ShownOnce } from "./shown-once.tsx";

interface Props {
  apiKey: string;
  /** Whether there is an address. */
  isOpen: boolean;
  onChange(): void;
}

/** The secret address of the calendar of weather windows. */
export function CalendarAddress({ apiKey, isOpen, onChange }: Props) {
  const { channels: words } = useWords("channels");
  const { calendar } = words;
  const [url, setUrl] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ error: Error; again: () => void }>();
  const run = (action: () => Promise<string | undefined>) => {
    setBusy(true);
    setFailure(undefined);
    action()
      .then(setUrl, (error: Error) => setFailure({ error, again: () => run(action) }))
      .finally(() => {
        setBusy(false);
        onChange();
      });
  };
  const end = async () => {
    await closeCalendar(apiKey);
    return undefined;
  };
  return (
    <section className="mt-6 space-y-2">
      <h3 className="font-semibold">{calendar.heading}</h3>
      <p className="text-muted text-sm">{calendar.text}</p>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="button px-3"
          disabled={busy}
          onClick={() => run(() => openCalendar(apiKey))}
        >
          {isOpen ? calendar.change : calendar.make}
        </button>
        {isOpen ? (
          <button type="button" className="button px-3" disabled={busy} onClick={() => run(end)}>
            {calendar.end}
          </button>
        ) : null}
      </div>
      {failure ? <ErrorMessage error={failure.error} onRetry={failure.again} /> : null}
      {url ? <ShownOnce title={calendar.once} text={url} copy={words.copy} /> : null}
    </section>
  );
}
