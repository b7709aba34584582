import type { ReactNode } from "react";

interface Props {
  checked: boolean;
  onChange(checked: boolean): void;
  children: ReactNode;
}

/** A checkbox with its label; taller on a phone. */
export function Checkbox({ checked, onChange, children }: Props) {
  return (
    <label className="flex min-h-9 items-center gap-2 text-sm max-md:min-h-11">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {children}
    </label>
  );
}
