import { useId, useMemo, useState } from "react";
import { type ArchiveSpans, useCalendar } from "#components/fields/calendar.tsx";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { civilOf } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { speedSetting, stepSetting } from "#components/view-state/device-setting.ts";
import { formatAge, formatMonths, formatTime } from "#components/view-state/format-time.ts";
import { parseTimeText } from "#components/view-state/parse-time.ts";
import { answeringSpans, shownFor } from "#components/view-state/time-window.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { DatasetName } from "#lib/catalog/datasets.ts";
import type { ArchiveSpan } from "#lib/contract/field-manifest.ts";
import { errorText } from "#lib/messages/fault.ts";

interface Props {
  /** Contents of the archive; undefined while unknown. */
  archive: readonly ArchiveSpan[] | undefined;
  error: Error | null;
  /** The forecast archive answers for the past of the layer. */
  isArchiveOnly: boolean;
  onClose(): void;
}

/** A dialog for date and time, in words or by calendar and hours, and for the step of the time bar. */
export function TimePicker({ archive, error, isArchiveOnly, onClose }: Props) {
  const { now, time: shown = now, present = now, setTime } = useClock("now", "time", "present", "setTime");
  const zone = useZone();
  const words = useWords();
  const { calendar: texts, picker } = words.time;
  const [step, speed] = [stepSetting.use(), speedSetting.use()];
  const spans = useMemo(
    () => archive && answeringSpans(archive, now, isArchiveOnly),
    [archive, now, isArchiveOnly],
  );
  const choose = (time: number) => {
    setTime(time);
    onClose();
  };
  const { calendar, hours, goTo } = useCalendar({
    zone,
    now,
    time: shown,
    step: step === "model" ? 1 : Number(step),
    spans,
    onChoose: choose,
  });
  const datasets = (["Forecast", "Hindcast-3M", "Hindcast-3Y"] as const).filter((name) =>
    spans?.some(({ dataset }) => dataset === name),
  );
  const goToDataset = (name: DatasetName) => {
    const last = spans?.findLast(({ dataset }) => dataset === name);
    if (last) goTo(name === "Forecast" ? now : last.to);
  };
  return (
    <Dialog title={picker.title} onClose={onClose}>
      <div className="time-picker">
        <TimeField spans={spans} onChoose={choose} />
        <div>
          {calendar}
          <ul className="calendar-keys">
            <li data-kind="forecast">{texts.legend.forecast}</li>
            <li data-kind="hindcast">{texts.legend.hindcast}</li>
            <li data-kind="gap">{texts.legend.gap}</li>
          </ul>
          {archive || error ? null : (
            <p role="status" className="text-muted text-xs">
              {texts.reading}
            </p>
          )}
          {error ? <p role="alert">{texts.unread({ why: errorText(error, words) })}</p> : null}
        </div>
        {hours}
        <fieldset className="flex flex-wrap gap-1">
          <legend className="mb-1 text-muted text-xs">{picker.goTo}</legend>
          <button type="button" className="toggle" onClick={() => choose(present)}>
            {picker.now}
          </button>
          {datasets.map((name) => (
            <button
              key={name}
              type="button"
              className="toggle first-letter:uppercase"
              onClick={() => goToDataset(name)}
            >
              {words.catalog.datasets[name]} <small>{rangeOf(name)}</small>
            </button>
          ))}
        </fieldset>
        <div className="flex flex-wrap gap-x-6 gap-y-3.5">
          <Choice
            title={picker.steps}
            options={[
              ["model", picker.modelSteps],
              ["1", picker.hourSteps({ hours: 1 })],
              ["3", picker.hourSteps({ hours: 3 })],
              ["6", picker.hourSteps({ hours: 6 })],
            ]}
            value={step}
            onChange={stepSetting.set}
          />
          <Choice
            title={picker.speed}
            options={[
              ["slow", picker.speeds.slow],
              ["normal", picker.speeds.normal],
              ["fast", picker.speeds.fast],
            ]}
            value={speed}
            onChange={speedSetting.set}
          />
        </div>
      </div>
    </Dialog>
  );

  function rangeOf(name: DatasetName): string {
    const [first, last] = [
      spans?.find(({ dataset }) => dataset === name),
      spans?.findLast(({ dataset }) => dataset === name),
    ];
    if (!first || !last) return "";
    return formatMonths(civilOf(first.from, zone), civilOf(last.to, zone), words);
  }
}

interface FieldProps {
  /** undefined while they are being read. */
  spans: ArchiveSpans | undefined;
  onChoose(time: number): void;
}

/** A field for a time in words, which shows its interpretation before it is used. */
function TimeField({ spans, onChoose }: FieldProps) {
  const { now, time: shown = now } = useClock("now", "time");
  const zone = useZone();
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
        <Button type="submit" primary disabled={!found}>
          {field.show}
        </Button>
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

/** The dialog opens with the focus here, unless a screen keyboard would cover the calendar. */
function focusFirst(input: HTMLInputElement | null): void {
  // React's own property would focus before the dialog is open.
  if (!window.matchMedia("(pointer: coarse)").matches) input?.setAttribute("autofocus", "");
}
