import type { FormEvent } from "react";
import { useMissingKey, useOfferedKey } from "#components/api-client/api-key.tsx";
import { acceptKey, declineKey, shownKey } from "#components/api-client/key-store.ts";
import { Dialog } from "#components/ui/dialog.tsx";

/** Asks for the API key while this tab has none that the service accepts, and which to use where a link brings another. */
export function KeyPrompt() {
  const missing = useMissingKey();
  const choice = useOfferedKey();
  if (choice) return <KeyChoice {...choice} />;
  return missing ? <KeyForm missing={missing} /> : null;
}

function KeyForm({ missing }: { missing: "absent" | "refused" }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key") ?? "").trim();
    if (key) acceptKey(key);
  };
  return (
    <Dialog title={missing === "refused" ? "This key was refused" : "An API key is needed"}>
      <p className="text-muted text-sm">
        {missing === "refused"
          ? "It may be mistyped, expired or revoked. Ask who runs this service for another one."
          : "The server printed one when it was first started. It stays in this browser tab and is sent only to this server."}
      </p>
      <form onSubmit={submit} className="mt-4 flex gap-2">
        <label className="sr-only" htmlFor="key">
          API key
        </label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="off"
          required
          className="min-h-11 min-w-0 flex-1 rounded-md border border-line bg-page px-3"
        />
        <button type="submit" className="button primary px-4">
          Use this key
        </button>
      </form>
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
