import { TextField } from "#components/ui/text-field.tsx";
import { fromClock, toClock } from "#components/view-state/format-time.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import { type Draft, filledIn, type ShownView, steps } from "./file-draft.ts";

interface Props {
  draft: Draft;
  shown: ShownView;
  onChange(part: Partial<Draft>): void;
}

/** From when to when, and how often. */
export function TimeFields({ draft, shown, onChange }: Props) {
  const zone = useZone("download");
  const { times: words } = zone.words.download;
  const { from, to } = filledIn(draft, shown);
  return (
    <div className="space-y-3">
      {(["from", "to"] as const).map((end) => {
        const time = end === "from" ? from : to;
        return (
          <TextField
            key={end}
            label={words[end]({ clock: zone.label(time) })}
            type="datetime-local"
            value={toClock(time, zone)}
            onChange={(text) => {
              const typed = fromClock(text, zone);
              if (!Number.isNaN(typed)) onChange({ [end]: typed });
            }}
          />
        );
      })}
      <label className="form-field">
        {words.step}
        <select
          className="field"
          value={draft.step ?? ""}
          onChange={({ target }) => onChange({ step: steps.find((step) => String(step) === target.value) })}
        >
          {steps.map((step) => (
            <option key={step} value={step}>
              {words.hours({ hours: step })}
            </option>
          ))}
          <option value="">{words.native}</option>
        </select>
      </label>
    </div>
  );
}
