import { useState } from "react";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { Channel } from "#lib/contract/channels.ts";
import { deliveryFaultText } from "#lib/messages/fault.ts";
import { askConfirmation, deleteChannel, renewSecret, testChannel } from "./channel-requests.ts";
import { ShownOnce } from "./shown-once.tsx";

interface Props {
  channel: Channel;
  apiKey: string;
  /** The list has changed. */
  onChange(): void;
}

/** One place that alerts are sent to, and what can be done with it. */
export function ChannelRow({ channel, apiKey, onChange }: Props) {
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
