import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId } from "react";
import { acceptKey, dropNewKeyToken } from "#components/api-client/key-store.ts";
import { redeemKey, requestKey } from "#components/api-client/service.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useWords } from "#components/words/words-context.ts";
import { errorText } from "#lib/messages/fault.ts";
import { RememberChoice, remembers } from "./remember-choice.tsx";

/** Creates the key of an e-mail link when the user agrees, and shows it once. */
export function NewKey({ token }: { token: string }) {
  const { data: key, error, isPending, mutate } = useMutation({ mutationFn: () => redeemKey(token) });
  const words = useWords();
  const { made } = words.access;
  const use = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (key) acceptKey(key, remembers(event.currentTarget));
  };
  return (
    <Dialog title={key ? made.doneTitle : made.title} onClose={dropNewKeyToken}>
      {key ? (
        <form onSubmit={use}>
          <p className="text-muted text-sm">{made.shownOnce}</p>
          <p className="mt-3 select-all break-all rounded-md border border-line p-3">
            <code>{key}</code>
          </p>
          <RememberChoice />
          <div className="mt-3 flex flex-wrap gap-2">
            <button type="submit" className="button primary px-4">
              {words.access.key.use}
            </button>
            {/* A failure to copy is reported, because the key is never shown again. */}
            <CopyButton className="button px-4" text={() => key} otherwise={made.copyFailed}>
              {made.copy}
            </CopyButton>
          </div>
        </form>
      ) : (
        <>
          <p className="text-muted text-sm">{made.explanation}</p>
          {error ? (
            <p role="alert" className="mt-3 text-sm">
              {errorText(error, words)}
            </p>
          ) : null}
          <button
            type="button"
            className="button primary mt-4 px-4"
            disabled={isPending}
            onClick={() => mutate()}
          >
            {made.make}
          </button>
        </>
      )}
    </Dialog>
  );
}

/** Form that requests an e-mail with a link to a key. */
export function KeyRequestForm() {
  const field = useId();
  const { error, isPending, isSuccess, mutate } = useMutation({ mutationFn: requestKey });
  const words = useWords();
  const { asked } = words.access;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(String(new FormData(event.currentTarget).get("email") ?? "").trim());
  };
  return (
    <form onSubmit={submit} className="mt-4 border-line border-t pt-4">
      <label className="text-sm" htmlFor={field}>
        {asked.label}
      </label>
      <div className="mt-2 flex flex-wrap gap-2">
        <input
          id={field}
          name="email"
          type="email"
          autoComplete="email"
          required
          className="min-h-11 min-w-0 flex-1 basis-40 rounded-md border border-line bg-page px-3"
        />
        <button type="submit" className="button px-4" disabled={isPending}>
          {asked.send}
        </button>
      </div>
      <p role="status" className="mt-2 text-sm">
        {isSuccess ? asked.sent : error ? errorText(error, words) : ""}
      </p>
    </form>
  );
}
