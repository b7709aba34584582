import "#components/api-client/without-eval.ts";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import type { z } from "zod";
import { apiFetch, retryPolicy } from "#components/api-client/api-fetch.ts";
import { useOwnKey } from "#components/api-client/api-key.tsx";
import { parseReply } from "#components/api-client/parse-reply.ts";
import { channelService } from "#components/api-client/watch-service.ts";
import { contractResolver } from "#components/fields/contract-resolver.ts";
import { FormText } from "#components/fields/form-text.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useWords } from "#components/words/words-context.ts";
import {
  type Channel,
  type ChannelKind,
  calendarAddress,
  channelCreated,
  channelKinds,
  channelList,
  channelRequest,
  channelSecret,
  channelTest,
  type TargetFault,
} from "#lib/contract/channels.ts";
import { deliveryFaultText } from "#lib/messages/fault.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import type { Language } from "#lib/messages/language.ts";

/** A link in an e-mail about alerts that its reader has opened. */
interface ChannelLink {
  purpose: "confirm" | "unsubscribe";
  channel: string;
  token: string;
}

const FORM = /^#(confirm-channel|unsubscribe)=([0-9a-f-]{36})\.(\d{1,12}\.[\w-]{43})$/;

/** @param hash Fragment of the address, with its sign. @returns undefined for any other fragment. */
export function channelLinkOf(hash: string): ChannelLink | undefined {
  const [, name, channel, token] = FORM.exec(hash) ?? [];
  if (channel === undefined || token === undefined) return undefined;
  return { purpose: name === "unsubscribe" ? "unsubscribe" : "confirm", channel, token };
}

/**
 * Asks for confirmation of what an e-mail link requests. Opening the link alone does nothing, because
 * programs that check e-mails open links too.
 */
function ChannelLinkNotice({ onDone }: { onDone(): void }) {
  const { links } = useWords("channels").channels;
  const [link, setLink] = useState<ChannelLink>();
  useEffect(() => {
    const found = channelLinkOf(window.location.hash);
    if (!found) return;
    setLink(found);
    // The fragment is removed, so that neither a bookmark nor the history contains it.
    const { pathname, search } = window.location;
    window.history.replaceState(window.history.state, "", pathname + search);
  }, []);
  const follow = useMutation({
    // The link authorises the request, so it needs no key.
    mutationFn: ({ purpose, channel, token }: ChannelLink) =>
      purpose === "confirm"
        ? apiFetch("/channels/confirm", { body: { channel, token } })
        : apiFetch(`/channels/unsubscribe?${new URLSearchParams({ channel, token })}`, { method: "POST" }),
    onSuccess: onDone,
  });
  if (!link) return null;
  const words = links[link.purpose];
  const send = () => follow.mutate(link);
  return (
    <section className="panel-card my-4 space-y-3 rounded-lg border border-line p-4">
      <p role="status">{follow.isSuccess ? words.done : words.text}</p>
      {follow.error ? <ErrorMessage error={follow.error} onRetry={send} /> : null}
      {follow.isIdle || follow.isPending ? (
        <button type="button" className="button primary px-4" disabled={follow.isPending} onClick={send}>
          {words.press}
        </button>
      ) : null}
    </section>
  );
}

/** Where alerts are sent in addition to the inbox; without a key only the request of an e-mail link. */
export function Channels() {
  const { channels: words } = useWords("channels");
  const key = useOwnKey();
  const { data, error, refetch } = useQuery({ ...channelsQuery(key ?? ""), enabled: key !== undefined });
  const read = () => void refetch();
  return (
    <>
      <ChannelLinkNotice onDone={() => key !== undefined && read()} />
      {key === undefined ? null : (
        // Secrets that are shown once belong to one key, so changing the key resets the section.
        <section key={key} aria-labelledby="channels-heading" className="mt-8">
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
              <details className="mt-4">
                <summary className="min-h-11 cursor-pointer content-center font-semibold">
                  {words.add.heading}
                </summary>
                <AddChannel isTitled={false} apiKey={key} sendsMail={data.mail} onAdded={read} />
              </details>
              <CalendarAddress apiKey={key} isOpen={data.calendar} onChange={read} />
            </>
          ) : null}
        </section>
      )}
    </>
  );
}

/**
 * Runs one action at a time; a failed one can be repeated. @param onSettled Called when the list may have
 * changed.
 */
const useAction = <Result,>(onSettled: () => void) =>
  useMutation({ mutationFn: (action: () => Promise<Result>) => action(), onSettled });

interface CalendarProps {
  apiKey: string;
  /** Whether an address exists. */
  isOpen: boolean;
  onChange(): void;
}

function CalendarAddress({ apiKey, isOpen, onChange }: CalendarProps) {
  const { channels: words } = useWords("channels");
  const { calendar } = words;
  const service = channelService(apiKey);
  const [url, setUrl] = useState<string>();
  const { error, isPending, variables, mutate } = useAction<void>(onChange);
  const open = async () => setUrl(parseReply(await service.openCalendar(), calendarAddress).url);
  const end = () => service.closeCalendar().then(() => setUrl(undefined));
  return (
    <section id="calendar" className="mt-6 space-y-2">
      <h3 className="font-semibold">{calendar.heading}</h3>
      <p className="text-muted text-sm">{calendar.text}</p>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="button px-3" disabled={isPending} onClick={() => mutate(open)}>
          {isOpen ? calendar.change : calendar.make}
        </button>
        {isOpen ? (
          <button type="button" className="button px-3" disabled={isPending} onClick={() => mutate(end)}>
            {calendar.end}
          </button>
        ) : null}
      </div>
      {error ? <ErrorMessage error={error} onRetry={() => mutate(variables!)} /> : null}
      {url ? <ShownOnce title={calendar.once} text={url} copy={words.copy} /> : null}
    </section>
  );
}

interface RowProps {
  channel: Channel;
  apiKey: string;
  /** Called when the list has changed. */
  onChange(): void;
}

/** One channel with its actions. */
function ChannelRow({ channel, apiKey, onChange }: RowProps) {
  const { channels: words, language } = useWords("channels");
  const { id, kind, name, target, state, error } = channel;
  const service = channelService(apiKey);
  // The secret is shown once, so it stays visible after further actions.
  const [secret, setSecret] = useState<string>();
  const action = useAction<string | undefined>(onChange);
  const test = async () => {
    const { delivered, ...why } = parseReply(await service.test(id, { language }), channelTest);
    return delivered ? words.delivered : words.notDelivered({ error: deliveryFaultText(why, words) });
  };
  const sendLink = () => service.askConfirmation(id, { language }).then(() => words.linkSent);
  const change = async () => {
    setSecret(parseReply(await service.renewSecret(id), channelSecret).secret);
    return undefined;
  };
  const remove = () => service.delete(id).then(() => undefined);
  const waits = state === "unconfirmed" || state === "unsubscribed";
  const actions = [
    waits ? ([words.linkAgain, sendLink] as const) : ([words.test, test] as const),
    ...(kind === "webhook" ? [[words.newSecret, change] as const] : []),
    [words.remove, remove] as const,
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
        {actions.map(([label, act]) => (
          <button
            key={label}
            type="button"
            className="button px-3"
            disabled={action.isPending}
            aria-label={words.of({ action: label, name })}
            onClick={() => action.mutate(act)}
          >
            {label}
          </button>
        ))}
      </div>
      <p role="status" className="text-sm">
        {action.data}
      </p>
      {action.error ? (
        <ErrorMessage error={action.error} onRetry={() => action.mutate(action.variables)} />
      ) : null}
      {secret ? <ShownOnce title={words.secret} text={secret} copy={words.copy} /> : null}
    </li>
  );
}

interface AddProps {
  apiKey: string;
  /** Whether this service sends e-mails. */
  sendsMail: boolean;
  /** Whether the form says what it is for. */
  isTitled?: boolean;
  /** Called for every channel that was added, even if the form was closed before the service answered. */
  onAdded(added: AddedChannel): void;
  /** Called while the form is open, if it has nothing more to show of the channel that was added. */
  onDone?: () => void;
}

/** A new channel; the secret of a webhook is shown once, below its form. */
type AddedChannel = z.output<typeof channelCreated>;

/** The form for a new channel, with the kinds that this service can deliver to. */
export function AddChannel({ apiKey, sendsMail, isTitled = true, onAdded, onDone }: AddProps) {
  const { channels: words, language } = useWords("channels");
  const { add } = words;
  const [secret, setSecret] = useState<string | null>(null);
  const { control, handleSubmit, reset } = useForm({
    defaultValues: newChannel(sendsMail ? "mail" : "ntfy"),
    resolver: channelResolver(words, language),
  });
  const kind = useWatch({ control, name: "kind" });
  const isMail = kind === "mail";
  const adding = useMutation({
    mutationFn: async (body: SentChannel) =>
      parseReply(await channelService(apiKey).create(body), channelCreated),
    onSuccess: onAdded,
  });
  // React Query does not call this after the form was closed, so that it cannot change a form that was opened later.
  const send = (body: SentChannel) =>
    adding.mutate(body, {
      onSuccess: ({ secret }) => {
        setSecret(secret);
        reset(newChannel(kind));
        if (secret === null) onDone?.();
      },
    });
  const { name, target } = channelRequest.shape;
  return (
    <form noValidate onSubmit={(event) => void handleSubmit(send)(event)} className="mt-2 space-y-3">
      {isTitled ? <h3 className="font-semibold">{add.heading}</h3> : null}
      <Controller
        control={control}
        name="kind"
        render={({ field }) => (
          <Choice<ChannelKind>
            title={add.kind}
            options={channelKinds
              .filter((each) => sendsMail || each !== "mail")
              .map((each) => [each, words.kinds[each]])}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
      <FormText
        control={control}
        name="target"
        label={add.target[kind]}
        // A separate key per kind changes what browsers offer for auto-completion.
        key={kind}
        type={isMail ? "email" : "url"}
        required
        maxLength={target.maxLength!}
        autoComplete={isMail ? "email" : "off"}
      />
      <FormText
        control={control}
        name="name"
        label={add.name}
        maxLength={name.unwrap().maxLength!}
        autoComplete="off"
      />
      {kind === "ntfy" ? (
        <FormText control={control} name="token" label={add.token} type="password" autoComplete="off" />
      ) : null}
      {isMail ? <p className="text-muted text-sm">{add.mailFirst}</p> : null}
      {sendsMail ? null : <p className="text-muted text-sm">{add.noMail}</p>}
      <button type="submit" className="button primary px-4" disabled={adding.isPending}>
        {add.submit}
      </button>
      {adding.error ? <ErrorMessage error={adding.error} onRetry={() => send(adding.variables!)} /> : null}
      {secret ? <ShownOnce title={words.secret} text={secret} copy={words.copy} /> : null}
    </form>
  );
}

type SentChannel = z.input<typeof channelRequest>;

/** Initial values of the form. */
const newChannel = (kind: ChannelKind) => ({ kind, target: "", name: "", token: "" });

export function channelResolver({ add }: Messages["channels"], language: Language) {
  return contractResolver({
    schema: channelRequest,
    bodyOf: ({ kind, ...typed }: ReturnType<typeof newChannel>): SentChannel => {
      const [target = "", name, token] = [typed.target, typed.name, typed.token].map((text) => text.trim());
      return {
        kind,
        target,
        ...(name && { name }),
        ...(kind === "ntfy" && token && { token }),
        ...(kind === "mail" && { language }),
      };
    },
    fieldOf: ({ path: [field] }) => field as "target" | "name" | "token",
    textOf: ({ path: [field], ...issue }) => {
      if (field === "token") return add.errors.token;
      const { fault } = ("params" in issue && issue.params) || {};
      return fault ? add.errors[fault as TargetFault] : add.errors.long;
    },
  });
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
