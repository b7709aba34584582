import "#components/api-client/without-eval.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { apiFetch, retryPolicy } from "#components/api-client/api-fetch.ts";
import { useOwnKey } from "#components/api-client/api-key.tsx";
import { parseReply } from "#components/api-client/parse-reply.ts";
import { channelService } from "#components/api-client/watch-service.ts";
import { Choice } from "#components/ui/choice.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useWords } from "#components/words/words-context.ts";
import {
  type Channel,
  type ChannelKind,
  calendarAddress,
  channelCreated,
  channelKinds,
  channelList,
  channelSecret,
  channelTest,
} from "#lib/contract/channels.ts";
import { deliveryFaultText } from "#lib/messages/fault.ts";
import type { Language } from "#lib/messages/language.ts";

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

interface CalendarProps {
  apiKey: string;
  /** Whether there is an address. */
  isOpen: boolean;
  onChange(): void;
}

function CalendarAddress({ apiKey, isOpen, onChange }: CalendarProps) {
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

interface RowProps {
  channel: Channel;
  apiKey: string;
  /** The list has changed. */
  onChange(): void;
}

/** One place that alerts are sent to, and what can be done with it. */
function ChannelRow({ channel, apiKey, onChange }: RowProps) {
  const { channels: words, language } = useWords("channels");
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState("");
  const [secret, setSecret] = useState<string>();
  const [failure, setFailure] = useState<{ error: Error; again: () => void }>();
  const { id, kind, name, target, state, error } = channel;
  const run = (action: () => Promise<string>) => {
    setBusy(true);
    setSaid("");
    setFailure(undefined);
    action()
      .then(setSaid, (reason: Error) => setFailure({ error: reason, again: () => run(action) }))
      .finally(() => {
        setBusy(false);
        onChange();
      });
  };
  const test = async () => {
    const why = await testChannel(apiKey, id, language);
    return why === null ? words.delivered : words.notDelivered({ error: deliveryFaultText(why, words) });
  };
  const sendLink = async () => {
    await askConfirmation(apiKey, id, language);
    return words.linkSent;
  };
  const change = async () => {
    setSecret(await renewSecret(apiKey, id));
    return "";
  };
  const remove = async () => {
    await deleteChannel(apiKey, id);
    return "";
  };
  const waits = state === "unconfirmed" || state === "unsubscribed";
  const actions: [label: string, action: () => Promise<string>][] = [
    waits ? [words.linkAgain, sendLink] : [words.test, test],
    ...(kind === "webhook" ? [[words.newSecret, change] as [string, typeof change]] : []),
    [words.remove, remove],
  ];
  return (
    <li className="task-row space-y-2" data-state={state}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 break-all font-semibold">{name}</h3>
        <p className="text-sm">{words.kinds[kind]}</p>
      </div>
      {name === target ? null : <p className="break-all text-muted text-sm">{target}</p>}
      <p className="text-sm">{words.states[state]}</p>
      {error === null ? null : (
        <p className="break-words text-muted text-sm">
          {words.lastError({ error: deliveryFaultText(channel, words) })}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {actions.map(([label, action]) => (
          <button
            key={label}
            type="button"
            className="button px-3"
            disabled={busy}
            aria-label={words.of({ action: label, name })}
            onClick={() => run(action)}
          >
            {label}
          </button>
        ))}
      </div>
      <p role="status" className="text-sm">
        {said}
      </p>
      {failure ? <ErrorMessage error={failure.error} onRetry={failure.again} /> : null}
      {secret ? <ShownOnce title={words.secret} text={secret} copy={words.copy} /> : null}
    </li>
  );
}

interface AddProps {
  apiKey: string;
  /** Whether this service sends e-mails. */
  sendsMail: boolean;
  onAdded(): void;
}

function AddChannel({ apiKey, sendsMail, onAdded }: AddProps) {
  const { channels: words, language } = useWords("channels");
  const { add } = words;
  const [kind, setKind] = useState<ChannelKind>(sendsMail ? "mail" : "webhook");
  const [target, setTarget] = useState("");
  const [name, setName] = useState("");
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const [secret, setSecret] = useState<string | null>(null);
  const isMail = kind === "mail";
  const submit = () => {
    setBusy(true);
    setError(undefined);
    const channel = {
      kind,
      target: target.trim(),
      ...(name.trim() && { name: name.trim() }),
      ...(kind === "ntfy" && token.trim() && { token: token.trim() }),
    };
    addChannel(apiKey, channel, language)
      .then((made) => {
        setSecret(made);
        setTarget("");
        setName("");
        setToken("");
        onAdded();
      }, setError)
      .finally(() => setBusy(false));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <form onSubmit={onSubmit} className="mt-6 space-y-3">
      <h3 className="font-semibold">{add.heading}</h3>
      <Choice<ChannelKind>
        title={add.kind}
        options={channelKinds.map((each) => [each, words.kinds[each]])}
        value={kind}
        onChange={setKind}
      />
      <TextField
        label={add.target[kind]}
        // The key changes what browsers offer to fill in.
        key={kind}
        type={isMail ? "email" : "url"}
        required
        maxLength={isMail ? 254 : 2000}
        autoComplete={isMail ? "email" : "off"}
        value={target}
        onChange={setTarget}
      />
      <TextField label={add.name} maxLength={100} value={name} onChange={setName} autoComplete="off" />
      {kind === "ntfy" ? (
        <TextField
          label={add.token}
          type="password"
          maxLength={200}
          value={token}
          onChange={setToken}
          autoComplete="off"
        />
      ) : null}
      {isMail ? <p className="text-muted text-sm">{sendsMail ? add.mailFirst : add.noMail}</p> : null}
      <button type="submit" className="button primary px-4" disabled={busy || (isMail && !sendsMail)}>
        {add.submit}
      </button>
      {error ? <ErrorMessage error={error} onRetry={submit} /> : null}
      {secret === null ? null : <ShownOnce title={words.secret} text={secret} copy={words.copy} />}
    </form>
  );
}

function ShownOnce({ title, text, copy }: { title: string; text: string; copy: string }) {
  return (
    <div className="my-3 space-y-2 rounded-lg border border-line p-3 text-sm">
      <p role="status">{title}</p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 break-all">{text}</code>
        <CopyButton text={() => text}>{copy}</CopyButton>
      </div>
    </div>
  );
}

/** The channels of the key's owner. */
export const channelsQuery = (key: string) =>
  queryOptions({
    queryKey: ["channels", key],
    queryFn: async ({ signal }) => parseReply(await channelService(key).list({ signal }), channelList),
    refetchOnWindowFocus: true,
    ...retryPolicy,
  });

interface NewChannel {
  kind: ChannelKind;
  target: string;
  name?: string;
  token?: string;
}

/** @returns The secret of a webhook, null for others. */
async function addChannel(key: string, channel: NewChannel, language: Language): Promise<string | null> {
  const body = { ...channel, ...(channel.kind === "mail" && { language }) };
  return parseReply(await channelService(key).create(body), channelCreated).secret;
}

async function deleteChannel(key: string, id: string): Promise<void> {
  await channelService(key).delete(id);
}

/** Sends a test. @returns Why it did not arrive; null where it did. */
async function testChannel(
  key: string,
  id: string,
  language: Language,
): Promise<Pick<Channel, "error" | "error_code"> | null> {
  const { delivered, ...why } = parseReply(await channelService(key).test(id, { language }), channelTest);
  return delivered ? null : why;
}

async function renewSecret(key: string, id: string): Promise<string> {
  return parseReply(await channelService(key).renewSecret(id), channelSecret).secret;
}

async function askConfirmation(key: string, id: string, language: Language): Promise<void> {
  await channelService(key).askConfirmation(id, { language });
}

/** Makes or changes the address of the calendar. @returns The address. */
async function openCalendar(key: string): Promise<string> {
  return parseReply(await channelService(key).openCalendar(), calendarAddress).url;
}

async function closeCalendar(key: string): Promise<void> {
  await channelService(key).closeCalendar();
}
