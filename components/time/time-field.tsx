import { useId, useState } from "react";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatAge, formatTime } from "#components/view-state/format-time.ts";
import { parseTimeText } from "#components/view-state/parse-time.ts";
import { shownFor } from "#components/view-state/time-window.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { ArchiveSpans } from "./calendar-month.ts";

interface Props {
  /** undefined while they are being read. */
  spans: ArchiveSpans | undefined;
  onChoose(time: number): void;
}

/** A field for a time in words; what it understands is shown before it is used. */
export function TimeField({ spans, onChoose }: Props) {
  const { now, time: shown = now } = useClock();
  const { zone } = useView();
  const words = useWords();
  const { field } = words.time;
  const [text, setText] = useState("");
  const status = useId();
  const meant = text.trim() === "" ? undefined : parseTimeText(text, { now, shown, zone });
  const found = meant && "time" in meant ? shownFor(meant.time, spans, now) : undefined;
  return (
    <form
      className="time-field"
      onSubmit={(event) => {
        event.preventDefault();
        if (found) onChoose(found.time);
      }}
    >
      <label htmlFor={`${status}-input`}>{field.label({ clock: zone.label(shown) })}</label>
      <div className="flex gap-1">
        <input
          ref={focusFirst}
          id={`${status}-input`}
          className="field min-w-0 flex-1"
          value={text}
          placeholder={field.placeholder}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={status}
          aria-invalid={meant !== undefined && !found}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="button primary px-3" disabled={!found}>
          {field.show}
        </button>
      </div>
      <p id={status} role="status">
        {found && meant && "time" in meant ? (
          <>
            {found.why ? `${field.reasons[found.why]} ` : null}
            <strong>{formatTime(found.time, undefined, zone)}</strong>
            {` · ${formatAge(found.time, now, words)}`}
            {meant.oddity ? ` ${field.oddities[meant.oddity]}` : null}
          </>
        ) : meant && "fault" in meant ? (
          field.faults[meant.fault]
        ) : (
          field.hint({ examples: field.examples.join(words.ui.joins.list) })
        )}
      </p>
    </form>
  );
}

/** The dialog opens with the focus here, but where a screen keyboard would cover the calendar. */
function focusFirst(input: HTMLInputElement | null): void {
  // React's own property focuses before the dialog is open.
  if (!window.matchMedia("(pointer: coarse)").matches) input?.setAttribute("autofocus", "");
}
