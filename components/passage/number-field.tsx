import { useId, useState } from "react";
import { readTypedDecimal } from "#lib/decimal.ts";

interface Props {
  label: string;
  /** The label is for screen readers only, as in a table with headings. */
  quiet?: boolean;
  /** undefined: the field is empty. */
  value: number | undefined;
  low: number;
  high: number;
  /** Said of a text that is no number from `low` to `high`. */
  wrong: string;
  /** Beside the field. */
  hint?: string;
  /** What an empty field means; without it it is wrong. */
  onEmpty?(): void;
  onChange(value: number): void;
}

/** A number that is typed; it counts as soon as it is one that is allowed. */
export function NumberField({ label, quiet, value, low, high, wrong, hint, onEmpty, onChange }: Props) {
  const help = useId();
  const [typed, setTyped] = useState<{ text: string; of: number | undefined }>();
  // What is typed stands while it means the value, so that "6." is not taken away.
  const text = typed && typed.of === value ? typed.text : value === undefined ? "" : String(value);
  const readOf = (from: string) => (from.trim() === "" ? undefined : readTypedDecimal(from.trim()));
  const isAllowed = (number: number | undefined) =>
    number === undefined ? onEmpty !== undefined : number >= low && number <= high;
  const isWrong = !isAllowed(readOf(text));
  return (
    <label className={quiet ? undefined : "form-field"}>
      <span className={quiet ? "sr-only" : undefined}>{label}</span>
      <input
        className="field passage-number"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-invalid={isWrong}
        aria-describedby={isWrong || hint ? help : undefined}
        onChange={({ target }) => {
          const number = readOf(target.value);
          const counts = isAllowed(number);
          setTyped({ text: target.value, of: counts ? number : value });
          if (!counts) return;
          if (number === undefined) onEmpty?.();
          else onChange(number);
        }}
      />
      {isWrong || hint ? (
        <span id={help} role={isWrong ? "alert" : undefined} className="passage-hint">
          {isWrong ? wrong : hint}
        </span>
      ) : null}
    </label>
  );
}
