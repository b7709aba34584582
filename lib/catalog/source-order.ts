import { type VariableName, variable, variableNames } from "./variables.ts";

/** The sources that answer for each variable, best first. */
export type SourceOrder = Readonly<Record<VariableName, readonly string[]>>;

/**
 * The catalog's order, replaced for some variables; sources that `preferred` does not name follow in the
 * catalog's order.
 */
export function sourceOrder(preferred: Partial<SourceOrder> = {}): SourceOrder {
  return Object.fromEntries(
    variableNames.map((name) => [
      name,
      [...new Set([...(preferred[name] ?? []), ...variable(name).sources])],
    ]),
  ) as Record<VariableName, string[]>;
}
