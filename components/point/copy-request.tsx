import { CopyButton } from "#components/ui/copy-button.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { useWords } from "#components/words/words-context.ts";
import { curlCommand } from "./point-queries.ts";

/** Copies the request of the values as a command. @param time Unix seconds. */
export function CopyRequest({ place, time }: { place: Place; time: number }) {
  const { point } = useWords();
  return (
    <CopyButton text={() => curlCommand(window.location.origin, place, time)}>{point.copyAsCurl}</CopyButton>
  );
}
