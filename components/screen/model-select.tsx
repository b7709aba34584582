import { useWords } from "#components/words/words-context.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";

interface Props {
  label: string;
  /** Text of the choice of no model. */
  none: string;
  /** The chosen model, which need not be among those offered; null for none. */
  value: string | null;
  models: NonNullable<FieldManifest["models"]>;
  /** Other choices, in a group of their own below the models. */
  others?: { title: string; choices: NonNullable<FieldManifest["models"]> };
  onChange(model: string | null): void;
}

/** A choice among the models that forecast a layer. */
export function ModelSelect({ label, none, value, models, others, onChange }: Props) {
  const { model: text } = useWords().screen;
  const offered = [...models, ...(others?.choices ?? [])];
  const isOffered = value === null || offered.some(({ name }) => name === value);
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
      {others && others.choices.length > 0 ? (
        <optgroup label={others.title}>
          {others.choices.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </optgroup>
      ) : null}
    </select>
  );
}
