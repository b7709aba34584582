import type { SecondaryField } from "./use-secondary-field.ts";

/**
 * A secondary field for a map of one time: without its frames where they are of another one. Lines of six o'clock are not
 * drawn over the colours of three.
 *
 * @param time Of the colours, Unix seconds.
 */
export function onlyOf<F extends Pick<SecondaryField, "pair" | "run" | "time">>(
  field: F,
  time: number | undefined,
): F {
  if (field.time === undefined || field.time === time) return field;
  return { ...field, pair: undefined, run: undefined };
}
