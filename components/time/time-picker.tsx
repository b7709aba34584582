import { useMemo, useState } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { type CivilDate, civilOf } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatLongDate, formatMonths } from "#components/view-state/format-time.ts";
import { speedSetting, stepSetting } from "#components/view-state/time-settings.ts";
import { answeringSpans } from "#components/view-state/time-window.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { acceptedTimes, type DatasetName } from "#lib/catalog/datasets.ts";
import type { ArchiveSpan } from "#lib/contract/field-manifest.ts";
import { Calendar } from "./calendar.tsx";
import { hoursOf, kindOf } from "./calendar-month.ts";
import { HourList } from "./hour-list.tsx";
import { TimeField } from "./time-field.tsx";

interface Props {
  /** What the archive has; undefined while that is being read, or cannot be. */
  archive: readonly ArchiveSpan[] | undefined;
  /** Why it cannot be read. */
  error: Error | null;
  /** The archive of forecasts answers for the past of the layer. */
  isArchiveOnly: boolean;
  onClose(): void;
}

/** A dialog for a date and a time, in words or by calendar and hours, and for how the time bar steps. */
export function TimePicker({ archive, error, isArchiveOnly, onClose }: Props) {
  const { now, time: shown = now, present = now, setTime } = useClock();
  const { zone } = useView();
  const [step, speed] = [stepSetting.use(), speedSetting.use()];
  const [chosen, setChosen] = useState<CivilDate>(() => civilOf(shown, zone));
  const [focused, setFocused] = useState(chosen);
  const [choices, setChoices] = useState(0);
  const spans = useMemo(
    () => archive && answeringSpans(archive, now, isArchiveOnly),
    [archive, now, isArchiveOnly],
  );
  const { first: from, last: to } = acceptedTimes(now);
  const accepted = { from, to };
  const choose = (time: number) => {
    setTime(time);
    onClose();
  };
  const hours = hoursOf(chosen, zone, step === "model" ? 1 : Number(step), spans, accepted);
  const datasets = (["Forecast", "Hindcast-3M", "Hindcast-3Y"] as const).filter((name) =>
    spans?.some(({ dataset }) => dataset === name),
  );
  const goTo = (name: DatasetName) => {
    const last = spans?.findLast(({ dataset }) => dataset === name);
    if (last) setFocused(civilOf(name === "Forecast" ? now : last.to, zone));
  };
  return (
    <Dialog title="Date and time" onClose={onClose}>
      <div className="time-picker">
        <TimeField spans={spans} onChoose={choose} />
        <div>
          <Calendar
            focused={focused}
            chosen={chosen}
            today={civilOf(now, zone)}
            range={{ first: civilOf(from, zone), last: civilOf(to, zone) }}
            kindOf={(date) => kindOf(date, zone, spans, accepted)}
            onFocus={setFocused}
            onChoose={(date) => {
              setChosen(date);
              setChoices(choices + 1);
            }}
          />
          <ul className="calendar-keys">
            <li data-kind="forecast">Forecast</li>
            <li data-kind="hindcast">Hindcast</li>
            <li data-kind="gap">No data</li>
          </ul>
          {archive || error ? null : (
            <p role="status" className="text-muted text-xs">
              Reading which days have data…
            </p>
          )}
          {error ? <p role="alert">What the archive has could not be read: {error.message}</p> : null}
        </div>
        <HourList
          title={`${formatLongDate(chosen, zone.words)}, ${zone.label(shown)}`}
          hours={hours}
          shown={shown}
          zone={zone}
          focusedBy={choices}
          onChoose={choose}
        />
        <fieldset className="archive-parts">
          <legend className="mb-1 text-muted text-xs">Go to</legend>
          <button type="button" className="toggle" onClick={() => choose(present)}>
            Now
          </button>
          {datasets.map((name) => (
            <button key={name} type="button" className="toggle" onClick={() => goTo(name)}>
              {name} <small>{rangeOf(name)}</small>
            </button>
          ))}
        </fieldset>
        <div className="time-steps">
          <Choice
            title="Steps of the time bar and of the keys [ and ]"
            options={[
              ["model", "Each of the model"],
              ["1", "1 h"],
              ["3", "3 h"],
              ["6", "6 h"],
            ]}
            value={step}
            onChange={stepSetting.set}
          />
          <Choice
            title="Speed of play"
            options={[
              ["slow", "Slow"],
              ["normal", "Normal"],
              ["fast", "Fast"],
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
    return formatMonths(civilOf(first.from, zone), civilOf(last.to, zone), zone.words);
  }
}
