import type { StormEntry } from "@open-metocean/storms/schema";
import { countUntil } from "@open-metocean/storms/track";
import { type KeyboardEvent, useEffect, useRef, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { formatShortTime, formatTime } from "#components/view-state/format-time.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import type { StormFilm } from "#lib/storm-answers/film.ts";
import { DAY_S } from "#lib/time.ts";
import { formatStage, formatWind, stormName } from "./format-storm.ts";
import { FILM_BUTTON } from "./storm-film.tsx";
import { useStorms } from "./storms-context.tsx";
import type { FilmControl } from "./use-storm-film.ts";

interface Props {
  /** Description of the weather on the map at the film's time. */
  weather: string;
}

/** The film of a storm, in place of the time bar; its time is the only one of the map. */
export function FilmBar({ weather }: Props) {
  const { storms, stormCard } = useWords("stormCard");
  const {
    film: control,
    selected,
    filmError,
    retryFilm,
    loading,
  } = useStorms("film", "selected", "filmError", "retryFilm", "loading");
  if (!control) return null;
  const { film } = control;
  return (
    <section aria-label={stormCard.film.region} className="surface time-bar">
      {film && selected ? (
        <Controls control={control} film={film} entry={selected} weather={weather} />
      ) : (
        <>
          <button type="button" className="button" aria-label={stormCard.film.close} onClick={control.close}>
            <Icon name="close" />
          </button>
          {filmError ? (
            <ErrorMessage error={filmError} onRetry={retryFilm} />
          ) : (
            <p role="status" className="text-sm">
              {loading || !selected ? stormCard.film.readingStorms : storms.reading}
            </p>
          )}
        </>
      )}
    </section>
  );
}

interface ControlProps extends Props {
  control: FilmControl;
  film: StormFilm;
  entry: StormEntry;
}

function Controls({ control, film, entry, weather }: ControlProps) {
  const zone = useZone();
  const words = useWords("stormCard");
  const { film: text } = words.stormCard;
  const { clock, playing, openedByUser, toggle, step, seek, close } = control;
  const time = useSyncExternalStore(
    clock.subscribe,
    () => clock.time,
    () => clock.time,
  );
  const play = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (openedByUser) play.current?.focus();
  }, [openedByUser]);
  const at = formatTime(time, undefined, zone);
  const state = describeFrame(film, entry, time, words);
  const leave = () => {
    // On a phone the button is visible only after the film is closed.
    flushSync(close);
    document.getElementById(FILM_BUTTON)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const slides = event.target instanceof HTMLInputElement;
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const days = { PageUp: 1, PageDown: -1 }[event.key];
    if (by) step(by as 1 | -1);
    else if (days) seek(clock.time + days * DAY_S);
    else if (event.key === "Escape") leave();
    else if (event.key === " " && slides) toggle();
    else return;
    event.preventDefault();
  };
  const button = (label: string, icon: "back" | "forward", by: 1 | -1, disabled: boolean) => (
    <button
      type="button"
      className="button"
      aria-label={label}
      disabled={disabled}
      onClick={() => step(by)}
      onKeyDown={onKeyDown}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <>
      <div className="flex gap-1">
        {button(text.back, "back", -1, time <= film.begins)}
        <button
          ref={play}
          type="button"
          className="button"
          aria-label={playing ? text.pause : text.play}
          onClick={toggle}
          onKeyDown={onKeyDown}
        >
          <Icon name={playing ? "pause" : "play"} className="size-4" />
        </button>
        {button(text.forward, "forward", 1, time >= film.ends)}
        <button
          type="button"
          className="button"
          aria-label={text.close}
          onClick={leave}
          onKeyDown={onKeyDown}
        >
          <Icon name="close" />
        </button>
      </div>
      {/* On wide screens the description is beside the buttons; on a phone only the time is, and the rest is below. */}
      <div className="w-[clamp(22rem,34vw,32rem)] leading-tight max-md:contents">
        <p className="font-medium text-[0.875rem] tabular-nums max-md:min-w-0 max-md:flex-1 max-md:leading-tight">
          {/* On a phone the name is in the panel below. */}
          <span className="max-md:sr-only">{text.name({ name: stormName(entry, words) })}</span>
          {at}
        </p>
        {/* As high as the longest text; otherwise the map would change its size while the film plays. */}
        <p className="min-h-[3lh] text-[0.75rem] text-muted leading-tight tabular-nums max-md:w-full xl:min-h-[2lh]">
          {state} <span className="block">{weather}</span>
        </p>
      </div>
      <div className="flex w-full items-center gap-3 text-muted text-xs tabular-nums md:w-auto md:flex-1">
        <span className="whitespace-nowrap max-lg:sr-only">{formatShortTime(film.begins, zone)}</span>
        <input
          type="range"
          aria-label={text.time}
          aria-valuetext={text.at({ time: at, state })}
          min={film.begins}
          max={film.ends}
          step={900}
          value={time}
          onChange={({ target }) => seek(Number(target.value))}
          onKeyDown={onKeyDown}
          className="block h-6 w-full accent-accent"
        />
        <span className="whitespace-nowrap max-lg:sr-only">{formatShortTime(film.ends, zone)}</span>
      </div>
    </>
  );
}

/** Text such as `Typhoon, category 2 · 85 kn (1-minute mean) · bulletin 12 of 28`. */
function describeFrame(
  film: StormFilm,
  entry: StormEntry,
  time: number,
  words: WordsWith<"stormCard">,
): string {
  const { observed, vmaxKt } = film.at(time);
  const fix = observed.at(-1);
  const number = countUntil(
    film.issues.map((issue) => ({ time: issue })),
    time,
  );
  const { film: text } = words.stormCard;
  const bulletin = number === 0 ? text.beforeFirst : text.bulletin({ number, count: film.issues.length });
  return [
    ...(fix ? [formatStage(fix, entry, words)] : []),
    ...(vmaxKt === null ? [] : [formatWind({ vmax_kt: vmaxKt }, entry, words)]),
    bulletin,
  ].join(" · ");
}
