import { useId, useState } from "react";
import { type GenericPolar, genericPolar, genericPolars, PolarError, readPolar } from "#lib/passage/polar.ts";
import { boundsText } from "./limits-form.tsx";
import { NumberField } from "./number-field.tsx";
import type { VesselFormProps } from "./vessel-props.ts";

/** A boat that sails by a polar, of ours or its own, and when its motor runs. */
export function SailForm({ vessel, style, onChange }: VesselFormProps) {
  const { vessel: words } = style.words;
  const name = vessel.polar_name ?? "own";
  const choose = (next: GenericPolar | "own") =>
    next === "own"
      ? // One's own begins with the numbers that were in force.
        onChange(
          { polar_name: undefined, polar: genericPolar(vessel.polar_name ?? genericPolars[0]) },
          "polar",
        )
      : onChange({ polar_name: next, polar: undefined }, "polar");
  return (
    <>
      <label className="form-field">
        {words.polar}
        <select
          className="field"
          value={name}
          onChange={({ target }) => choose(target.value as GenericPolar | "own")}
        >
          {[...genericPolars, "own" as const].map((option) => (
            <option key={option} value={option}>
              {words.polars[option]}
            </option>
          ))}
        </select>
      </label>
      {name === "own" ? (
        <OwnPolar vessel={vessel} style={style} onChange={onChange} />
      ) : (
        <p className="text-muted text-xs">{words.generic}</p>
      )}
      <div className="passage-fields">
        <NumberField
          label={words.factor}
          value={vessel.factor ?? 0.9}
          low={0.1}
          high={1.5}
          wrong={boundsText(0.1, 1.5, style)}
          onChange={(factor) => onChange({ factor }, "factor")}
        />
        <NumberField
          label={words.motor}
          value={vessel.motor_speed_kt}
          low={0.5}
          high={100}
          wrong={boundsText(0.5, 100, style)}
          onEmpty={() => onChange({ motor_speed_kt: undefined }, "motor")}
          onChange={(motor_speed_kt) => onChange({ motor_speed_kt }, "motor")}
        />
        {vessel.motor_speed_kt === undefined ? null : (
          <NumberField
            label={words.motorBelow}
            value={vessel.motor_below_kt ?? 3}
            low={0}
            high={100}
            wrong={boundsText(0, 100, style)}
            onChange={(motor_below_kt) => onChange({ motor_below_kt }, "motor below")}
          />
        )}
      </div>
    </>
  );
}

/** A polar that is pasted or read from a file; it counts when it can be read. */
function OwnPolar({ vessel, style, onChange }: VesselFormProps) {
  const { vessel: words } = style.words;
  const help = useId();
  const [typed, setTyped] = useState(vessel.polar ?? "");
  const problem = problemOf(typed);
  const take = (text: string) => {
    setTyped(text);
    if (problemOf(text) === undefined) onChange({ polar: text }, "polar text");
  };
  return (
    <>
      <label className="form-field">
        {words.text}
        <textarea
          className="field passage-polar"
          rows={6}
          spellCheck={false}
          value={typed}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : help}
          onChange={({ target }) => take(target.value)}
        />
      </label>
      {problem === undefined ? null : (
        <p id={help} role="alert" className="text-sm">
          {problem}
        </p>
      )}
      <label className="form-field">
        {words.file}
        <input
          type="file"
          className="field"
          accept=".csv,.pol,.txt,text/csv,text/plain"
          onChange={({ target }) => void target.files?.[0]?.text().then(take)}
        />
      </label>
    </>
  );
}

/** What is wrong with a polar, as the service says it. */
function problemOf(text: string): string | undefined {
  try {
    readPolar(text);
    return undefined;
  } catch (error) {
    if (error instanceof PolarError) return error.message;
    throw error;
  }
}
