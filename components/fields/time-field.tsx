import { useId, useState } from "react";
import { Dialog } from "#components/ui/dialog.tsx";
import { Icon } from "#components/ui/icon.tsx";
import type { Zone } from "#components/view-state/civil.ts";
import { formatZonedTime, toClock } from "#components/view-state/format-time.ts";
import { parseTimeText } from "#components/view-state/parse-time.ts";
import { useWords } from "#components/words/words-context.ts";
import { useCalendar } from "./calendar.tsx";

interface Props {
  label: string;
  /** Time zone of typed times, and the current time by the weather clock, Unix seconds. */
  zone: Zone;
  now: number;
  /** Unix seconds; undefined if the field is empty. */
  time: number | undefined;
  name?: string;
  placeholder?: string;
  /** Id of the form's message about an error in this field. */
  problem?: string | undefined;
  /** Called when the field is emptied; without it an empty field is an error. */
  onEmpty?(): void;
  onChange(time: number): void;
  /** Called when the text stops or resumes being a valid time. */
  onUnclear?(isUnclear: boolean): void;
}

/** A form field for a time: typed in words as `parseTimeText` reads them, or selected in the calendar. */
export function TimeField({
  label,
  zone,
  now,
  time,
  problem,
  onEmpty,
  onChange,
  onUnclear,
  ...input
}: Props) {
  const { field, picker } = useWords().time;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const written = time === undefined ? "" : toClock(time, zone).replace("T", " ");
  // The typed text stays until the time changes in another way.
  const [typed, setTyped] = useState<{ text: string; of: number | undefined; isUnclear?: boolean }>();
  const isTyped =
    typed !== undefined && (typed.of === time || (typed.isUnclear === true && time === undefined));
  const text = isTyped ? typed.text : written;
  const read = (from: string) => parseTimeText(from, { now, shown: time ?? now, zone });
  const meant = isTyped && text.trim() !== "" ? read(text) : undefined;
  const fault =
    meant && "fault" in meant
      ? field.faults[meant.fault]
      : isTyped && text.trim() === "" && !onEmpty
        ? field.faults.unknown
        : undefined;
  const type = (next: string) => {
    if (next.trim() === "") {
      setTyped({ text: next, of: onEmpty ? undefined : time, isUnclear: !onEmpty });
      onUnclear?.(!onEmpty);
      return onEmpty?.();
    }
    const found = read(next);
    const isFound = "time" in found;
    setTyped({ text: next, of: isFound ? found.time : time, isUnclear: !isFound });
    onUnclear?.(!isFound);
    if (isFound && found.time !== time) onChange(found.time);
  };
  return (
    <div className="form-field">
      <label id={`${id}-label`} htmlFor={id}>
        {label}
      </label>
      <div className="flex">
        <input
          {...input}
          id={id}
          className="field min-w-0 flex-1 rounded-r-none tabular-nums"
          value={text}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={fault !== undefined || problem !== undefined}
          aria-describedby={problem ?? (isTyped ? `${id}-meant` : undefined)}
          onChange={({ target }) => type(target.value)}
          onBlur={() => {
            if (!fault) setTyped(undefined);
          }}
        />
        <button
          type="button"
          className="button rounded-l-none border-l-0"
          aria-label={field.calendar}
          aria-describedby={`${id}-label`}
          title={picker.title}
          onClick={() => setOpen(true)}
        >
          <Icon name="calendar" />
        </button>
      </div>
      <p id={`${id}-meant`} role="status" className={isTyped && text !== written ? "text-xs" : "sr-only"}>
        {fault ?? (meant && "time" in meant ? formatZonedTime(meant.time, zone) : "")}
      </p>
      {isOpen ? (
        <TimeDialog
          title={label}
          zone={zone}
          now={now}
          time={time ?? now}
          onClose={() => setOpen(false)}
          onChoose={(chosen) => {
            setTyped(undefined);
            onUnclear?.(false);
            onChange(chosen);
            setOpen(false);
          }}
        />
      ) : null}
    </div>
  );
}

interface DialogProps extends Pick<Props, "zone" | "now"> {
  title: string;
  time: number;
  onChoose(time: number): void;
  onClose(): void;
}

function TimeDialog({ title, onClose, ...choosing }: DialogProps) {
  const { calendar, hours } = useCalendar(choosing);
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="space-y-3.5">
        {calendar}
        {hours}
      </div>
    </Dialog>
  );
}
