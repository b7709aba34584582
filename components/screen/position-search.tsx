import { PlaceSearch } from "#components/fields/place-field.tsx";
import type { Target } from "#components/fields/place-suggestions.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";

/** Id of the field of the bar: for the key `g`. */
const POSITION_FIELD = "position";

/** Moves the focus to the field for a position. */
export function focusSearch(): void {
  document.getElementById(POSITION_FIELD)?.focus();
}

/** The field of the bar for a position or the name of a place. */
export function PositionSearch({ onFound }: { onFound(target: Target): void }) {
  const { position } = useWords();
  const { view } = useView();
  return (
    <PlaceSearch
      id={POSITION_FIELD}
      label={position.field}
      placeholder={position.placeholder}
      near={view.c}
      onFound={onFound}
    />
  );
}
