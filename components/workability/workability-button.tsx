import dynamic from "next/dynamic";
import { useState } from "react";
import { useApiKey, useOwnKey } from "#components/api-client/api-key.tsx";
import { askForKey } from "#components/api-client/key-store.ts";
import { withWords } from "#components/words/late-words.ts";
import type { Place } from "#lib/geo/sphere.ts";

const WorkabilityDialog = dynamic(
  withWords(() => import("./workability-dialog.tsx").then((file) => file.WorkabilityDialog), "workability"),
  { ssr: false },
);

/** Opens the weather windows at a place; a visitor without a key is asked for one first. */
export function WorkabilityButton({ label, place }: { label: string; place: Place }) {
  const key = useOwnKey();
  const known = useApiKey();
  // The place does not change while the dialog is open.
  const [open, setOpen] = useState<Place>();
  if (!known) return null;
  return (
    <>
      <button type="button" className="button px-3" onClick={() => (key ? setOpen(place) : askForKey())}>
        {label}
      </button>
      {open && key ? (
        <WorkabilityDialog apiKey={key} place={open} onClose={() => setOpen(undefined)} />
      ) : null}
    </>
  );
}
