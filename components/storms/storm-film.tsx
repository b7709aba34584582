import type { StormEntry } from "@open-metocean/storms/schema";
import { Icon } from "#components/ui/icon.tsx";
import { useWords } from "#components/words/words-context.ts";
import { useStorms } from "./storms-context.tsx";

/** Id of the button that opens the film; the focus returns to it. */
export const FILM_BUTTON = "storm-film";

interface Props {
  entry: StormEntry;
  /** Moves the map so that it shows the whole storm. */
  onShowWhole(entry: StormEntry): void;
}

/** A button that opens and closes the film of a storm. */
export function StormFilm({ entry, onShowWhole }: Props) {
  const { film, openFilm } = useStorms("film", "openFilm");
  const text = useWords("stormCard").stormCard.film;
  const begins = entry.tracks.observed[0]?.time;
  if (begins === undefined) return null;
  return (
    <div className="space-y-1">
      <button
        id={FILM_BUTTON}
        type="button"
        className="toggle"
        aria-pressed={film !== undefined}
        onClick={() => {
          if (film) return film.close();
          openFilm(begins);
          onShowWhole(entry);
        }}
      >
        <Icon name="play" className="size-4" /> {text.button}
      </button>
      <p className="text-muted text-xs">{film ? text.open : text.closed}</p>
    </div>
  );
}
