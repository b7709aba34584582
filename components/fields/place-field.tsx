import type { Place } from "@open-metocean/geo/sphere";
import {
  type ComponentType,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  use,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { Icon } from "#components/ui/icon.tsx";
import { placeOfDevice } from "#components/view-state/first-view.ts";
import { pickPlace } from "#components/view-state/place-pick.ts";
import { useWords } from "#components/words/words-context.ts";
import { searchPlaces } from "#lib/places/gazetteer.ts";
import { positionText } from "#lib/position.ts";
import { answerSearch, SHOWN, type Suggestion, type Target, usePlaces } from "./place-suggestions.ts";
import { StationSearchContext } from "./station-search.ts";

interface SearchProps {
  /** Id of the input. */
  id?: string;
  label: string;
  /** Label of the button. Without one the field is as wide as the bar allows, and Enter goes to the place. */
  submit?: string;
  placeholder: string;
  /** Places of the same name are listed by their distance from here. */
  near: Place;
  /** The first offers are listed while the field is empty; all are found by name. */
  offers?: readonly Suggestion[];
  /** Shows known facts about the listed place at an index. */
  Known?: ComponentType<{ listed: readonly Suggestion[]; index: number }>;
  onFound(target: Target): void;
}

/** A search field for places, in a form of its own that empties when something is found. */
export function PlaceSearch({ submit, ...field }: SearchProps) {
  const [text, setText] = useState("");
  const { near, offers, Known } = field;
  const find = (target: Target) => {
    setText("");
    field.onFound(target);
  };
  const box = usePlaceBox(text, near, setText, find, { offers, Known });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    box.submit();
  };
  return (
    <search className={submit ? "relative" : "relative min-w-0 flex-1 md:max-w-80"} onBlur={box.onBlur}>
      <form onSubmit={onSubmit} className="flex">
        <input
          {...box.input}
          onFocus={box.offer}
          id={field.id}
          name="position"
          aria-label={field.label}
          placeholder={field.placeholder}
          enterKeyHint="go"
          className={`field min-w-0 flex-1 ${submit ? "rounded-r-none" : "pl-8"}`}
        />
        {submit ? (
          <button type="submit" className="button rounded-l-none border-l-0" aria-label={submit}>
            <Icon name="add" />
          </button>
        ) : (
          <Icon
            name="search"
            className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
          />
        )}
      </form>
      {box.list}
    </search>
  );
}

interface FieldProps {
  /** Puts the focus into the field. */
  ref?: Ref<{ focus(): void }>;
  label: string;
  name?: string;
  placeholder?: string;
  text: string;
  /** Id of the form's message about an error in this field. */
  problem?: string | undefined;
  /** A click on the map fills it in. */
  picks?: boolean;
  /** Enter goes to the place that the text means, as in a search. */
  finds?: boolean;
  /** The same as in `PlaceSearch`; defaults to the centre of the view. */
  near?: Place | undefined;
  onText(text: string): void;
  /**
   * Called when a place is chosen, or when focus leaves a text that means one; the text has been set to its
   * position.
   */
  onFound?(target: Target): void;
}

/**
 * A form field for a place: a position in any common notation, a name of the gazetteer, or a click on the
 * map.
 */
export function PlaceField({ ref, label, text, problem, picks, finds, near, ...props }: FieldProps) {
  const { onText, onFound, ...field } = props;
  const { position } = useWords();
  const id = useId();
  const take = (target: Target) => {
    onText(positionText(target.place.latitude, target.place.longitude));
    onFound?.(target);
  };
  const box = usePlaceBox(text, near, onText, take);
  useImperativeHandle(ref, () => ({ focus: box.focus }));
  // A click on the map may come after other fields have changed or after this field was removed.
  const newest = useRef(take);
  useEffect(() => {
    newest.current = take;
  });
  const stopPick = useRef<() => void>(undefined);
  useEffect(() => () => stopPick.current?.(), []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list closes when the focus leaves field and list
    <div className="form-field relative" onBlur={box.onBlur}>
      <label htmlFor={id}>{label}</label>
      <div className="flex">
        <input
          {...box.input}
          {...field}
          id={id}
          aria-invalid={problem !== undefined || box.input["aria-invalid"]}
          aria-describedby={problem ?? box.input["aria-describedby"]}
          className={`field min-w-0 flex-1 ${picks ? "rounded-r-none" : ""}`}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (box.chosen || (finds && text))) {
              event.preventDefault();
              box.submit();
              // Escape closes an open list; otherwise it belongs to the surrounding element.
            } else if (event.key !== "Escape" || box.isListed) box.input.onKeyDown(event);
          }}
          onBlur={() => {
            const { direct } = box;
            const isNew = direct && text !== positionText(direct.place.latitude, direct.place.longitude);
            if (onFound && direct && isNew && !box.isListed) take(direct);
          }}
        />
        {picks ? (
          <button
            type="button"
            data-resumes
            className="button rounded-l-none border-l-0"
            aria-label={position.pick}
            title={position.pick}
            onClick={() => {
              stopPick.current = pickPlace((place) => {
                newest.current({ place });
                box.focus();
              });
            }}
          >
            <Icon name="place" />
          </button>
        ) : null}
      </div>
      {box.list}
    </div>
  );
}

/** The common part of both fields: a combobox with its list below (ARIA authoring practices). */
function usePlaceBox(
  text: string,
  given: Place | undefined,
  setText: (text: string) => void,
  onFound: (target: Target) => void,
  { offers = [], Known }: { [P in "offers" | "Known"]?: SearchProps[P] | undefined } = {},
) {
  const words = useWords();
  const { position } = words;
  const [open, setOpen] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  /** Key of the marked suggestion; other suggestions may still be inserted before it. */
  const [marked, setMarked] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const named = /\p{L}/u.test(text) && !/\p{Nd}/u.test(text);
  const places = usePlaces(named);
  const { centre, useStations } = use(StationSearchContext);
  // Without a map the location is guessed from the device's time zone.
  const near = given ?? centre ?? placeOfDevice();
  const first = named && open ? searchPlaces(places.data ?? [], text, near, 1)[0]?.place : undefined;
  const stations = useStations(open ? text : "", near, first);
  const languages = typeof navigator === "undefined" ? [] : navigator.languages;
  const answer = answerSearch(text, places.data ?? [], near, languages, words, offers, stations);
  const { direct, problem, question } = answer;
  const isEmpty = text.trim() === "";
  const suggestions = isEmpty ? offers.slice(0, SHOWN) : answer.suggestions;
  const isListed = open && suggestions.length > 0 && (named || submitted || isEmpty || direct !== undefined);
  const index = isListed ? suggestions.findIndex(({ key }) => key === marked) : -1;
  useEffect(() => {
    if (index >= 0) document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: "nearest" });
  }, [id, index]);
  const isWaiting = named && places.isPending;
  const message = !submitted
    ? undefined
    : named && places.isError
      ? position.notLoaded
      : isWaiting
        ? undefined
        : problem;
  const close = () => {
    setOpen(false);
    setSubmitted(false);
    setMarked(undefined);
  };
  const go = (target: Target) => {
    close();
    onFound(target);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && (isListed || message || text)) {
      // The first press closes the list, the second one clears the field.
      event.stopPropagation();
      event.preventDefault();
      if (!isListed) setText("");
      close();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && suggestions.length > 0) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      // Beyond either end no suggestion is marked, and the text itself counts.
      const count = suggestions.length + 1;
      setMarked(suggestions[((index + 1 + step + count) % count) - 1]?.key);
      setOpen(true);
      if (!named && !isEmpty) setSubmitted(true);
    }
  };
  const chosen = suggestions[index]?.target;
  const list: ReactNode = (
    <>
      <div
        className="absolute top-[calc(100%+0.375rem)] left-0 z-30 w-max min-w-full max-w-[min(24rem,calc(100vw-1rem))] rounded-lg border border-line p-1 shadow-[0_6px_24px_rgb(0_0_0/0.25)] surface"
        hidden={!isListed && !message}
      >
        {message || (isListed && question) ? (
          <p id={`${id}-help`} role="alert" className="p-2 text-sm">
            {message ?? question}
          </p>
        ) : null}
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={position.places}
          hidden={!isListed}
          className="max-h-[calc(100dvh-6rem)] overflow-y-auto"
        >
          {(isListed ? suggestions : []).map(({ key, title, details, target }, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
            <div
              key={key}
              tabIndex={-1}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === index}
              className="flex min-h-11 cursor-pointer flex-col justify-center rounded-md px-2.5 py-1 text-[0.875rem] hover:bg-accent hover:text-on-accent aria-selected:bg-accent aria-selected:text-on-accent"
              // The combobox pattern keeps the focus in the field.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => go(target)}
            >
              <span>{title}</span>
              {details ? <span className="text-[0.8125rem]">{details}</span> : null}
              {Known ? <Known listed={suggestions} index={at} /> : null}
            </div>
          ))}
        </div>
      </div>
      <p role="status" className="sr-only">
        {isListed ? position.found({ count: suggestions.length }) : ""}
      </p>
    </>
  );
  return {
    direct: isWaiting ? undefined : direct,
    chosen,
    isListed,
    close,
    list,
    focus: () => input.current?.focus(),
    /** Lists the offers while the field is empty. */
    offer: () => isEmpty && setOpen(true),
    /** Goes to the marked suggestion, or else to the position or the first name. */
    submit() {
      const target = chosen ?? direct;
      if (target && !isWaiting) return go(target);
      setSubmitted(true);
      setOpen(true);
      // If there are stations only, the first one is marked, and the next Enter selects it.
      if (!isWaiting && !question) setMarked(answer.suggestions[0]?.key);
      input.current?.focus();
    },
    onBlur({ currentTarget, relatedTarget }: React.FocusEvent) {
      if (!currentTarget.contains(relatedTarget)) close();
    },
    input: {
      ref: input,
      role: "combobox",
      "aria-autocomplete": "list" as const,
      "aria-expanded": isListed,
      "aria-controls": `${id}-list`,
      "aria-activedescendant": index >= 0 ? `${id}-${index}` : undefined,
      autoComplete: "off",
      spellCheck: false,
      "aria-invalid": message !== undefined,
      "aria-describedby": message || (isListed && question) ? `${id}-help` : undefined,
      value: text,
      onKeyDown,
      onChange({ target }: { target: HTMLInputElement }) {
        setText(target.value);
        setSubmitted(false);
        setMarked(undefined);
        setOpen(true);
      },
    },
  };
}
