import { useEffect, useState } from "react";
import { apiFetch } from "#components/api-client/api-fetch.ts";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useWords } from "#components/words/words-context.ts";
import "#components/api-client/without-eval.ts";
import { useQuery } from "@tanstack/react-query";
import { useOwnKey } from "#components/api-client/api-key.tsx";
import { AddChannel } from "./add-channel.tsx";
import { channelsQuery, closeCalendar, openCalendar } from "./channel-requests.ts";
import { ChannelRow } from "./channel-row.tsx";
import { ShownOnce } from "./shown-once.tsx";

/** A link of an e-mail about alerts, which its reader has opened. */
interface ChannelLink {
  purpose: "confirm" | "unsubscribe";
  channel: string;
  token: string;
}

const FORM = /^#(confirm-channel|unsubscribe)=([0-9a-f-]{36})\.(\d{1,12}\.[\w-]{43})$/;

/** @param hash Fragment of the address, with its sign. @returns undefined for any other. */
export function channelLinkOf(hash: string): ChannelLink | undefined {
  const [, name, channel, token] = FORM.exec(hash) ?? [];
  if (channel === undefined || token === undefined) return undefined;
  return { purpose: name === "unsubscribe" ? "unsubscribe" : "confirm", channel, token };
}

/** Does what a link is for. It needs no key: the link is one. */
async function followLink({ purpose, channel, token }: ChannelLink): Promise<void> {
  if (purpose === "confirm") await apiFetch("/channels/confirm", { body: { channel, token } });
  else await apiFetch(`/channels/unsubscribe?${new URLSearchParams({ channel, token })}`, { method: "POST" });
}

/** What the link of an e-mail asks for. Opening it does nothing: programs that check mails open links too. */
function ChannelLinkNotice({ onDone }: { onDone(): void }) {
  const { links } = useWords("channels").channels;
  const [link, setLink] = useState<ChannelLink>();
  const [state, setState] = useState<"asked" | "sending" | "done" | Error>("asked");
  useEffect(() => {
    const found = channelLinkOf(window.location.hash);
    if (!found) return;
    setLink(found);
    // Neither a bookmark nor the history has it.
    const { pathname, search } = window.location;
    window.history.replaceState(window.history.state, "", pathname + search);
  }, []);
  if (!link) return null;
  const words = links[link.purpose];
  const follow = () => {
    setState("sending");
    followLink(link).then(
      () => {
        setState("done");
        onDone();
      },
      (error: Error) => setState(error),
    );
  };
  return (
    <section className="panel-card my-4 space-y-3 rounded-lg border border-line p-4">
      <p role="status">{state === "done" ? words.done : words.text}</p>
      {state instanceof Error ? <ErrorMessage error={state} onRetry={follow} /> : null}
      {state === "asked" || state === "sending" ? (
        <button type="button" className="button primary px-4" disabled={state === "sending"} onClick={follow}>
          {words.press}
        </button>
      ) : null}
    </section>
  );
}

/** Where alerts are sent beside the inbox; without a key only what the link of an e-mail asks for. */
export function Channels() {
  const { channels: words } = useWords("channels");
  const key = useOwnKey();
  const { data, error, refetch } = useQuery({ ...channelsQuery(key ?? ""), enabled: key !== undefined });
  const read = () => void refetch();
  return (
    <>
      <ChannelLinkNotice onDone={() => key !== undefined && read()} />
      {key === undefined ? null : (
        <section aria-labelledby="channels-heading" className="mt-8">
          <h2 id="channels-heading" className="font-semibold text-lg">
            {words.heading}
          </h2>
          <p className="mt-1 text-muted text-sm">{words.intro}</p>
          {error ? <ErrorMessage error={error} onRetry={read} /> : null}
          {data === undefined && !error ? <p role="status">{words.reading}</p> : null}
          {data ? (
            <>
              {data.channels.length === 0 ? <p className="mt-3 text-sm">{words.none}</p> : null}
              <ul className="mt-3 space-y-3">
                {data.channels.map((channel) => (
                  <ChannelRow key={channel.id} channel={channel} apiKey={key} onChange={read} />
                ))}
              </ul>
              <AddChannel apiKey={key} sendsMail={data.mail} onAdded={read} />
              <CalendarAddress apiKey={key} isOpen={data.calendar} onChange={read} />
            </>
          ) : null}
        </section>
      )}
    </>
  );
}

interface Props {
  apiKey: string;
  /** Whether there is an address. */
  isOpen: boolean;
  onChange(): void;
}

/** The secret address of the calendar of weather windows. */
function CalendarAddress({ apiKey, isOpen, onChange }: Props) {
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
