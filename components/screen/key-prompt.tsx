import { type FormEvent, useId } from "react";
import { useAccess } from "#components/api-client/access.tsx";
import { useMissingKey, useNewKeyToken, useOfferedKey } from "#components/api-client/api-key.tsx";
import { acceptKey, askForKey, declineKey, forgetKey, shownKey } from "#components/api-client/key-store.ts";
import { Dialog } from "#components/ui/dialog.tsx";
import { KeyRequestForm, NewKey } from "./new-key.tsx";
import { RememberChoice, remembers } from "./remember-choice.tsx";

interface Props {
  /** The page goes on without a key: it is asked for only when the user wants to enter one. */
  optional?: boolean;
}

/** Asks for the API key while this tab has none that the service accepts, and which to use where a link brings another. */
export function KeyPrompt({ optional = false }: Props) {
  const missing = useMissingKey();
  const choice = useOfferedKey();
  const token = useNewKeyToken();
  if (token) return <NewKey token={token} />;
  if (choice) return <KeyChoice {...choice} />;
  if (optional && missing !== "asked") return null;
  return missing ? <KeyForm key={missing} missing={missing} /> : null;
}

const titles = {
  absent: "An API key is needed",
  refused: "This key was refused",
  asked: "Enter an API key",
} as const;

const reasons = {
  absent: "The server printed one when it was first started. It is sent only to this server.",
  refused: "It may be mistyped, expired or revoked. Ask who runs this service for another one.",
  asked: "Who runs this service gives out keys. A key is sent only to this server.",
} as const;

function KeyForm({ missing }: { missing: keyof typeof titles }) {
  const { guests, keyRequests } = useAccess();
  const field = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key") ?? "").trim();
    if (key) acceptKey(key, remembers(event.currentTarget));
  };
  return (
    <Dialog title={titles[missing]} onClose={missing === "asked" ? () => askForKey(false) : undefined}>
      <p className="text-muted text-sm">{reasons[missing]}</p>
      <form onSubmit={submit} className="mt-4">
        <div className="flex gap-2">
          <label className="sr-only" htmlFor={field}>
            API key
          </label>
          <input
            id={field}
            name="key"
            type="password"
            autoComplete="off"
            required
            className="min-h-11 min-w-0 flex-1 rounded-md border border-line bg-page px-3"
          />
          <button type="submit" className="button primary px-4">
            Use this key
          </button>
        </div>
        <RememberChoice />
      </form>
      {keyRequests ? <KeyRequestForm /> : null}
      {missing === "refused" && guests !== "off" ? (
        <button type="button" className="button mt-4 px-4" onClick={forgetKey}>
          Go on without a key
        </button>
      ) : null}
    </Dialog>
  );
}

/** Closing it keeps the key in use. */
function KeyChoice({ inUse, offered }: { inUse: string; offered: string }) {
  return (
    <Dialog title="This link brings another API key" onClose={declineKey}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt>This tab uses</dt>
        <dd className="min-w-0 break-all">
          <code>{shownKey(inUse)}</code>
        </dd>
        <dt>The link brings</dt>
        <dd className="min-w-0 break-all">
          <code>{shownKey(offered)}</code>
        </dd>
      </dl>
      <p className="mt-3 text-muted text-sm">
        Tasks belong to the owner of the key that they were sent with. With the link's key, its owner can read
        what you ask for, and you no longer see your own tasks. Use it only if you know whose key it is.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <button type="button" className="button primary px-4" onClick={declineKey}>
          Keep my key
        </button>
        <button type="button" className="button px-4" onClick={() => acceptKey(offered)}>
          Use the link's key
        </button>
      </div>
    </Dialog>
  );
}
