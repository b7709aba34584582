import type { ViewBox } from "@open-metocean/geo/box";
import type { Place } from "@open-metocean/geo/sphere";
import dynamic from "next/dynamic";
import { useOwnKeyOrAsk } from "#components/api-client/api-key.tsx";
import { withWords } from "#components/words/late-words.ts";

const WorkabilityDialog = dynamic(
  withWords(
    () => import("./workability-dialog.tsx").then((file) => file.WorkabilityDialog),
    "workability",
    "area",
  ),
  { ssr: false },
);

interface Props {
  place: Place;
  onClose(): void;
  /** Moves the map to a box. It must always be the same function. */
  onShow(box: ViewBox): void;
}

/** The weather windows at a place; a visitor without a key is asked for one instead. */
export function WorkabilityAt(props: Props) {
  const key = useOwnKeyOrAsk(props.onClose);
  return key ? <WorkabilityDialog apiKey={key} {...props} /> : null;
}
