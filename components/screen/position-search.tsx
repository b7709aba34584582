import { type FormEvent, useId, useState } from "react";
import { Icon } from "#components/ui/icon.tsx";
import type { Place } from "#lib/geo/sphere.ts";
import { parsePosition } from "#lib/position.ts";

interface Props {
  onFound(place: Place): void;
}

/** Ids of the field and, where the bar is narrow, of the button of the menu that has the same form: for the key `g`. */
export const POSITION_FIELD = "position";
export const SEARCH_BUTTON = "position-menu";

/** Moves the focus to the field for a position. */
export function focusSearch(): void {
  const field = document.getElementById(POSITION_FIELD);
  if (field && field.getClientRects().length > 0) field.focus();
  else document.getElementById(SEARCH_BUTTON)?.click();
}

/** A field for a position in any common notation. */
export function PositionSearch({ onFound }: Props) {
  const [invalid, setInvalid] = useState(false);
  const help = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const place = parsePosition(String(new FormData(event.currentTarget).get("position") ?? ""));
    setInvalid(!place);
    if (place) onFound(place);
  };
  return (
    <search className="relative">
      <form onSubmit={submit} className="flex">
        <input
          id={POSITION_FIELD}
          name="position"
          aria-label="Position"
          placeholder="48 30N 005 10W"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={invalid}
          aria-describedby={invalid ? help : undefined}
          onChange={() => setInvalid(false)}
          className="field w-44 rounded-r-none"
        />
        <button type="submit" className="button rounded-l-none border-l-0" aria-label="Go to the position">
          <Icon name="search" />
        </button>
      </form>
      {invalid ? (
        <p id={help} role="alert" className="menu surface w-64 text-sm">
          This is no position. Write it like 48 30N 005 10W, 48°30.5′N 5°10′W or 48.5, −5.17.
        </p>
      ) : null}
    </search>
  );
}
