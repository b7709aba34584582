import "#components/api-client/without-eval.ts";
import { type FormEvent, useState } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useWords } from "#components/words/words-context.ts";
import { type ChannelKind, channelKinds } from "#lib/contract/channels.ts";
import { addChannel } from "./channel-requests.ts";
import { ShownOnce } from "./shown-once.tsx";

interface Props {
  apiKey: string;
  /** Whether this service sends e-mails. */
  sendsMail: boolean;
  onAdded(): void;
}

/** A form for another place that alerts are sent to. */
export function AddChannel({ apiKey, sendsMail, onAdded }: Props) {
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
