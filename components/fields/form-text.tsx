import type { ComponentProps } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import { TextField } from "#components/ui/text-field.tsx";

interface Props<Values extends FieldValues>
  extends Omit<ComponentProps<typeof TextField>, "value" | "onChange" | "problem" | "ref"> {
  // biome-ignore lint/suspicious/noExplicitAny: a field does not depend on what the form submits
  control: Control<Values, any, any>;
  name: FieldPath<Values>;
  /** Id of the form's message about a field that is wrong; without it the message stands below the field. */
  problemId?: string;
}

/** The text of one value of a form, with what is wrong with it. */
export function FormText<Values extends FieldValues>({ control, name, problemId, ...input }: Props<Values>) {
  const { field, fieldState } = useController({ control, name });
  const { error } = fieldState;
  const elsewhere = error && problemId ? { "aria-invalid": true, "aria-describedby": problemId } : {};
  return <TextField {...input} {...field} {...elsewhere} problem={problemId ? undefined : error?.message} />;
}
