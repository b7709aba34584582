import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { Icon } from "#components/ui/icon.tsx";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { answerSearch, type Target, usePlaces } from "./place-suggestions.ts";

interface Props {
  onFound(target: Target): void;
  /** Another field than that of the bar: it is emptied when something was found. */
  field?: SearchField;
}

/** The field of a search that is not that of the bar. */
export interface SearchField {
  id: string;
  label: string;
  /** Name of its button. */
  submit: string;
  placeholder: string;
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

/**
 * A field for a position in any common notation, or the name of a place: a combobox whose list is below it. Enter goes to
 * the marked suggestion, else to the position or the first name.
 */
export function PositionSearch({ onFound, field }: Props) {
  const words = useWords();
  const { position } = words;
  const { view } = useView();
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  const [marked, setMarked] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const named = /\p{L}/u.test(text) && !/\p{Nd}/u.test(text);
  const places = usePlaces(named);
  const languages = typeof navigator === "undefined" ? [] : navigator.languages;
  const { suggestions, direct, problem, question } = answerSearch(
    text,
    places.data ?? [],
    view.c,
    languages,
    words,
  );
  const listed = open && suggestions.length > 0 && (named || submitted);
  const waiting = named && places.isPending;
  const message = !submitted
    ? undefined
    : named && places.isError
      ? position.notLoaded
      : waiting
        ? undefined
        : problem;

  const go = (target: Target) => {
    setOpen(false);
    setSubmitted(false);
    setMarked(-1);
    if (field) setText("");
    onFound(target);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const chosen = listed ? suggestions[marked]?.target : undefined;
    const target = chosen ?? direct;
    if (target && !waiting) go(target);
    else {
      setSubmitted(true);
      setOpen(true);
      input.current?.focus();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && (open || text)) {
      // The first closes the list, the second empties the field.
      event.stopPropagation();
      if (!listed) setText("");
      setOpen(false);
      setSubmitted(false);
      setMarked(-1);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && suggestions.length > 0) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      const from = listed ? marked : -1;
      // Beyond either end no suggestion is marked, and the text is what counts.
      const count = suggestions.length + 1;
      setMarked(((from + 1 + step + count) % count) - 1);
      setOpen(true);
      if (!named) setSubmitted(true);
    }
  };
  return (
    <search
      className="relative"
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setOpen(false);
        setSubmitted(false);
      }}
    >
      <form onSubmit={submit} className="flex">
        <input
          ref={input}
          id={field?.id ?? POSITION_FIELD}
          name="position"
          role="combobox"
          aria-label={field?.label ?? position.field}
          aria-autocomplete="list"
          aria-expanded={listed}
          aria-controls={`${id}-list`}
          aria-activedescendant={listed && marked >= 0 ? `${id}-${marked}` : undefined}
          placeholder={field?.placeholder ?? position.placeholder}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={message !== undefined}
          aria-describedby={message || (listed && question) ? `${id}-help` : undefined}
          value={text}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setText(target.value);
            setSubmitted(false);
            setMarked(-1);
            setOpen(true);
          }}
          className={`field min-w-0 rounded-r-none max-lg:flex-1 ${field ? "flex-1" : "w-52 min-[1400px]:w-64"}`}
        />
        <button
          type="submit"
          className="button rounded-l-none border-l-0"
          aria-label={field?.submit ?? position.submit}
        >
          <Icon name={field ? "add" : "search"} />
        </button>
      </form>
      <div className="place-sheet surface" hidden={!listed && !message}>
        {message ? (
          <p id={`${id}-help`} role="alert" className="p-2 text-sm">
            {message}
          </p>
        ) : null}
        {listed && question ? (
          <p id={`${id}-help`} role="alert" className="p-2 text-sm">
            {question}
          </p>
        ) : null}
        <div id={`${id}-list`} role="listbox" aria-label={position.places} hidden={!listed}>
          {(listed ? suggestions : []).map(({ key, title, details, target }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
            <div
              key={key}
              tabIndex={-1}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === marked}
              className="place-option"
              // The focus stays in the field, as the pattern has it.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => go(target)}
            >
              <span>{title}</span>
              {details ? <span className="place-details">{details}</span> : null}
            </div>
          ))}
        </div>
      </div>
      <p role="status" className="sr-only">
        {listed ? position.found({ count: suggestions.length }) : ""}
      </p>
    </search>
  );
}
