import type { FormEvent } from "react";
import { useMissingKey } from "#components/api-client/api-key.tsx";
import { acceptKey } from "#components/api-client/key-store.ts";
import { Dialog } from "#components/ui/dialog.tsx";

/** Asks for the API key while this tab has none that the service accepts. */
export function KeyPrompt() {
  const missing = useMissingKey();
  if (!missing) return null;
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
