import type { InputHTMLAttributes } from "react";

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  label: string;
  onChange(value: string): void;
}

/** An input with its label above it. */
export function TextField({ label, onChange, className = "", ...input }: Props) {
  return (
    <label className="form-field">
      {label}
      <input className={`field ${className}`} onChange={({ target }) => onChange(target.value)} {...input} />
    </label>
  );
}
