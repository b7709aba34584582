import { type ComponentProps, useId } from "react";

interface Props extends Omit<ComponentProps<"input">, "onChange"> {
  label: string;
  /** The problem of the value; undefined if there is none. */
  problem?: string | undefined;
  onChange(value: string): void;
}

/** An input with its label above it. */
export function TextField({ label, problem, onChange, className = "", ...input }: Props) {
  const help = useId();
  return (
    <div className="form-field">
      <label className="form-field">
        {label}
        <input
          className={`field ${className}`}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem === undefined ? undefined : help}
          onChange={({ target }) => onChange(target.value)}
          {...input}
        />
      </label>
      {problem === undefined ? null : (
        <p id={help} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
