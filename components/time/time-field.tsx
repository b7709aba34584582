import { useId, useState } from "react";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatAge, formatTime } from "#components/view-state/format-time.ts";
import { parseTimeText } from "#components/view-state/parse-time.ts";
import { shownFor } from "#components/view-state/time-window.ts";
import { useView } from "#components/view-state/view-context.tsx";
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
      <label htmlFor={`${status}-input`}>Date and time, {zone.label(shown)}</label>
      <div className="flex gap-1">
        <input
          ref={focusFirst}
          id={`${status}-input`}
          className="field min-w-0 flex-1"
          value={text}
          placeholder="tomorrow 18:00"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={status}
          aria-invalid={meant !== undefined && !found}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="button primary px-3" disabled={!found}>
          Show
        </button>
      </div>
      <p id={status} role="status">
        {found && meant && "time" in meant ? (
          <>
            {found.why ? `${reasons[found.why]} ` : null}
            <strong>{formatTime(found.time, undefined, zone)}</strong>
            {` · ${formatAge(found.time, now)}`}
            {meant.oddity ? ` ${oddities[meant.oddity]}` : null}
          </>
        ) : meant && "fault" in meant ? (
          faults[meant.fault]
        ) : (
          "Such as fri 6, +12h, -3d, 24.11. 18h, 2026-11-24 18:00, now."
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

const reasons = {
  ahead: "That is beyond the forecast, which ends here:",
  past: "That is before the archive, which begins here:",
  gap: "The archive has nothing for that time. The nearest is",
};

const oddities = {
  skipped: "The clock is put forward over that time.",
  twice: "The clock shows that time twice; this is the first.",
};

const faults = {
  unknown: "Not understood. Try tomorrow 18:00, fri 6, +12h, -3d or 2026-11-24 18:00.",
  "no-such-date": "The calendar has no such date.",
};
