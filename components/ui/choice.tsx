interface Props<Value extends string> {
  title: string;
  /** Values and their labels. */
  options: readonly (readonly [value: Value, label: string])[];
  value: Value;
  onChange(value: Value): void;
  /** The title is for screen readers only. */
  quiet?: boolean;
}

/** A row of buttons, one of which is pressed. */
export function Choice<Value extends string>({ title, options, value, onChange, quiet }: Props<Value>) {
  return (
    <fieldset className="min-w-0">
      <legend className={quiet ? "sr-only" : "mb-1 text-muted text-xs"}>{title}</legend>
      <div className="flex flex-wrap gap-1">
        {options.map(([option, label]) => (
          <button
            key={option}
            type="button"
            aria-pressed={option === value}
            onClick={() => onChange(option)}
            className="toggle"
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
