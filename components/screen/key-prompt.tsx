import { type FormEvent, useId } from "react";
import { useAccess, useMissingKey, useNewKeyToken, useOfferedKey } from "#components/api-client/api-key.tsx";
import { acceptKey, askForKey, declineKey, forgetKey, shownKey } from "#components/api-client/key-store.ts";
import { Dialog } from "#components/ui/dialog.tsx";
import { Sentence } from "#components/words/sentence.tsx";
import { useWords } from "#components/words/words-context.ts";
import { KeyRequestForm, NewKey } from "./new-key.tsx";
import { RememberChoice, remembers } from "./remember-choice.tsx";

interface Props {
  /** The page works without a key, so it asks for one only if the user wants to enter it. */
  optional?: boolean;
}

/**
 * Asks for an API key while this tab has none that the service accepts, and which key to use if a link brings
 * another one.
 */
export function KeyPrompt({ optional = false }: Props) {
  const missing = useMissingKey();
  const choice = useOfferedKey();
  const token = useNewKeyToken();
  if (token) return <NewKey token={token} />;
  if (choice) return <KeyChoice {...choice} />;
  if (optional && missing !== "asked") return null;
  return missing ? <KeyForm key={missing} missing={missing} /> : null;
}

function KeyForm({ missing }: { missing: NonNullable<ReturnType<typeof useMissingKey>> }) {
  const words = useWords().access.key;
  const { guests, keyRequests } = useAccess();
  const field = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key") ?? "").trim();
    if (key) acceptKey(key, remembers(event.currentTarget));
  };
  return (
    <Dialog title={words.titles[missing]} onClose={missing === "asked" ? () => askForKey(false) : undefined}>
      <p className="text-muted text-sm">{words.reasons[missing]}</p>
      <form onSubmit={submit} className="mt-4">
        <div className="flex flex-wrap gap-2">
          <label className="sr-only" htmlFor={field}>
            {words.label}
          </label>
          <input
            id={field}
            name="key"
            type="password"
            autoComplete="off"
            required
            className="min-h-11 min-w-0 flex-1 basis-40 rounded-md border border-line bg-page px-3"
          />
          <button type="submit" className="button primary px-4">
            {words.use}
          </button>
        </div>
        <RememberChoice />
      </form>
      {keyRequests ? <KeyRequestForm /> : null}
      <KeyGiver />
      {missing === "refused" && guests !== "off" ? (
        <button type="button" className="button mt-4 px-4" onClick={forgetKey}>
          {words.goOnWithout}
        </button>
      ) : null}
    </Dialog>
  );
}

/** The command that creates a key on the server. */
const MAKES_KEY = "npm run metocean -- keys create --owner NAME";

/** Says where to ask for a key, or how the operator creates one; without this the prompt would be a dead end. */
function KeyGiver() {
  const { key } = useWords().access;
  const { keyRequests, keyContact } = useAccess();
  if (keyContact !== undefined) {
    const href = URL.canParse(keyContact) ? keyContact : `mailto:${keyContact}`;
    const contact = (
      <a className="break-all underline" href={href}>
        {keyContact}
      </a>
    );
    return (
      <p className="mt-4 text-sm">
        <Sentence message={key.askContact} values={{ contact }} />
      </p>
    );
  }
  if (keyRequests) return null;
  return (
    <p className="mt-4 text-muted text-sm">
      <Sentence
        message={key.byCommand}
        values={{ command: <code className="break-all">{MAKES_KEY}</code> }}
      />
    </p>
  );
}

/** Closing the dialog retains the key in use. */
function KeyChoice({ inUse, offered }: { inUse: string; offered: string }) {
  const words = useWords().access.offered;
  return (
    <Dialog title={words.title} onClose={declineKey}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt>{words.ofTab}</dt>
        <dd className="min-w-0 break-all">
          <code>{shownKey(inUse)}</code>
        </dd>
        <dt>{words.ofLink}</dt>
        <dd className="min-w-0 break-all">
          <code>{shownKey(offered)}</code>
        </dd>
      </dl>
      <p className="mt-3 text-muted text-sm">{words.meaning}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <button type="button" className="button primary px-4" onClick={declineKey}>
          {words.keep}
        </button>
        <button type="button" className="button px-4" onClick={() => acceptKey(offered)}>
          {words.take}
        </button>
      </div>
    </Dialog>
  );
}
