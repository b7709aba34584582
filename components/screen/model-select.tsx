import { useWords } from "#components/words/words-context.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";

interface Props {
  label: string;
  /** Text of the choice of no model. */
  none: string;
  /** The chosen model, which need not be among those offered; null for none. */
  value: string | null;
  models: NonNullable<FieldManifest["models"]>;
  onChange(model: string | null): void;
}

/** A choice among the models that forecast a layer. */
export function ModelSelect({ label, none, value, models, onChange }: Props) {
  const { model: text } = useWords().screen;
  const isOffered = value === null || models.some(({ name }) => name === value);
  return (
    <select
      aria-label={label}
      className="field"
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value || null)}
    >
      <option value="">{none}</option>
      {isOffered ? null : <option value={value}>{text.without({ name: value })}</option>}
      {models.map(({ name, title }) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  );
}
