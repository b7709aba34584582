import { useId, useState } from "react";
import { type FieldPath, type FieldValues, type UseFormReturn, useController } from "react-hook-form";
import { useWords } from "#components/words/words-context.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import { typedDecimal } from "#lib/messages/number.ts";

/**
 * Options of a form whose numbers are used as they are typed. Its `values` may change behind it, by undo for
 * example; a number that is refused stays until it is corrected.
 */
export const usedAsTyped = { resetOptions: { keepDirtyValues: true, keepErrors: true } } as const;

interface Props<Values extends FieldValues> {
  // biome-ignore lint/suspicious/noExplicitAny: a field does not depend on what the form submits
  form: UseFormReturn<Values, any, any>;
  /** A value that is a number, null if it is empty, and NaN while its text is no number. */
  name: FieldPath<Values>;
  /** Fields that have to be right too before the number is used. */
  along?: readonly FieldPath<Values>[];
  label: string;
  /** The label is only for screen readers, as in a table with headings. */
  quiet?: boolean;
  hint?: string;
  /** Called with each number that the form accepts, null if the field is emptied. */
  onUse(value: number | null): void;
}

/** A field for a number of a form, which is used as soon as it is valid. */
export function NumberField<Values extends FieldValues>(props: Props<Values>) {
  const { form, name, along = [], label, quiet, hint, onUse } = props;
  const { language } = useWords();
  const help = useId();
  const { field, fieldState } = useController({ control: form.control, name });
  const [typed, setTyped] = useState<{ text: string; of: number | null }>();
  // The typed text stays as long as it means the value, so that "6." is not changed while typing.
  const written = Number.isFinite(field.value) ? typedDecimal(field.value, language) : "";
  const text = typed && Object.is(typed.of, field.value) ? typed.text : written;
  const problem = fieldState.error?.message;
  const change = async (next: string) => {
    const value = next.trim() === "" ? null : readTypedDecimal(next);
    setTyped({ text: next, of: value });
    field.onChange(value);
    if (!(await form.trigger([name, ...along]))) return;
    // A value in use is no longer an edit, so a change from elsewhere may replace it.
    for (const each of [name, ...along]) form.resetField(each, { defaultValue: form.getValues(each) });
    onUse(value);
  };
  return (
    <label className={quiet ? undefined : "form-field"}>
      <span className={quiet ? "sr-only" : undefined}>{label}</span>
      <input
        ref={field.ref}
        name={name}
        className={quiet ? "field w-full min-w-14" : "field"}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby={problem || hint ? help : undefined}
        onBlur={field.onBlur}
        onChange={({ target }) => void change(target.value)}
      />
      {problem || hint ? (
        <span
          id={help}
          role={problem ? "alert" : undefined}
          className={problem ? "font-semibold text-xs" : "text-muted text-xs"}
        >
          {problem ?? hint}
        </span>
      ) : null}
    </label>
  );
}
