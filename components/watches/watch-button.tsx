import dynamic from "next/dynamic";
import { useState } from "react";
import { useApiKey, useOwnKey, useOwnKeyOrAsk } from "#components/api-client/api-key.tsx";
import { askForKey } from "#components/api-client/key-store.ts";
import { withWords } from "#components/words/late-words.ts";
import type { About } from "./watch-draft.ts";

// The map loads first; the dialog with its words and schemas loads when it is opened.
const WatchDialog = dynamic(
  withWords(() => import("./watch-dialog.tsx").then((file) => file.WatchDialog), "watches", "channels"),
  { ssr: false },
);

/** The dialog for a new watch; a visitor without a key is asked for one instead. */
export function NewWatch({ about, onClose }: { about: About; onClose(): void }) {
  const key = useOwnKeyOrAsk(onClose);
  return key ? <WatchDialog apiKey={key} about={about} picks onClose={onClose} /> : null;
}

/** Opens the dialog for a new watch; a visitor without a key is asked for one first. */
export function WatchButton({ label, about }: { label: string; about: About }) {
  const key = useOwnKey();
  const known = useApiKey();
  // The subject does not change while the dialog is open.
  const [open, setOpen] = useState<About>();
  if (!known) return null;
  return (
    <>
      <button type="button" className="button px-3" onClick={() => (key ? setOpen(about) : askForKey())}>
        {label}
      </button>
      {open && key ? (
        <WatchDialog apiKey={key} about={open} picks onClose={() => setOpen(undefined)} />
      ) : null}
    </>
  );
}
