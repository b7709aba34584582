import { PlaceSearch } from "#components/fields/place-field.tsx";
import type { Target } from "#components/fields/place-suggestions.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";

/** Ids of the field and, where the bar is narrow, of the button of the menu that has the same form: for the key `g`. */
const POSITION_FIELD = "position";
export const SEARCH_BUTTON = "position-menu";

/** Moves the focus to the field for a position. */
export function focusSearch(): void {
  const field = document.getElementById(POSITION_FIELD);
  if (field && field.getClientRects().length > 0) field.focus();
  else document.getElementById(SEARCH_BUTTON)?.click();
}

/** The field of the bar for a position or the name of a place. */
export function PositionSearch({ onFound }: { onFound(target: Target): void }) {
  const { position } = useWords();
  const { view } = useView();
  return (
    <PlaceSearch
      id={POSITION_FIELD}
      label={position.field}
      submit={position.submit}
      icon="search"
      placeholder={position.placeholder}
      className="w-52 max-lg:flex-1 min-[1400px]:w-64"
      near={view.c}
      onFound={onFound}
    />
  );
}
