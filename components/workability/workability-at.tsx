import dynamic from "next/dynamic";
import { useOwnKeyOrAsk } from "#components/api-client/api-key.tsx";
import { withWords } from "#components/words/late-words.ts";
import type { Place } from "#lib/geo/sphere.ts";

const WorkabilityDialog = dynamic(
  withWords(
    () => import("./workability-dialog.tsx").then((file) => file.WorkabilityDialog),
    "workability",
    "area",
  ),
  { ssr: false },
);

/** The weather windows at a place; a visitor without a key is asked for one instead. */
export function WorkabilityAt({ place, onClose }: { place: Place; onClose(): void }) {
  const key = useOwnKeyOrAsk(onClose);
  return key ? <WorkabilityDialog apiKey={key} place={place} onClose={onClose} /> : null;
}
