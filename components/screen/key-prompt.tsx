import { type FormEvent, useEffect, useRef } from "react";
import { useMissingKey } from "#components/api-client/api-key.tsx";
import { acceptKey } from "#components/api-client/key-store.ts";

/** Asks for the API key while this tab has none that the service accepts. */
export function KeyPrompt() {
  const missing = useMissingKey();
  return missing ? <KeyDialog refused={missing === "refused"} /> : null;
}

/** @param refused The service did not accept the previous key. */
function KeyDialog({ refused }: { refused: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get("key") ?? "").trim();
    if (key) acceptKey(key);
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="key-title"
      onCancel={(event) => event.preventDefault()}
      className="surface m-auto w-[min(28rem,calc(100vw-2rem))] rounded-xl p-6 shadow-xl backdrop:bg-black/40"
    >
      <h2 id="key-title" className="font-semibold text-lg">
        {refused ? "This key was refused" : "An API key is needed"}
      </h2>
      <p className="mt-2 text-muted text-sm">
        {refused
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
    </dialog>
  );
}
