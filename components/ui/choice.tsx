interface Props<Value extends string> {
  title: string;
  /** Values with their words. */
  options: readonly (readonly [value: Value, words: string])[];
  value: Value;
  onChange(value: Value): void;
  /** The title is heard, not seen. */
  quiet?: boolean;
}

/** One of a few: a row of buttons of which one is pressed. */
export function Choice<Value extends string>({ title, options, value, onChange, quiet }: Props<Value>) {
  return (
    <fieldset className="min-w-0">
      <legend className={quiet ? "sr-only" : "mb-1 text-muted text-xs"}>{title}</legend>
      <div className="flex flex-wrap gap-1">
        {options.map(([option, words]) => (
          <button
            key={option}
            type="button"
            aria-pressed={option === value}
            onClick={() => onChange(option)}
            className="toggle"
          >
            {words}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
