import { type VariableName, variable, variableNames } from "./variables.ts";

/** The sources that answer for each variable, best first. */
export type SourceOrder = Readonly<Record<VariableName, readonly string[]>>;

/** The order of the catalog, with some variables in another order; sources that are not named follow as in the catalog. */
export function sourceOrder(preferred: Partial<SourceOrder> = {}): SourceOrder {
  return Object.fromEntries(
    variableNames.map((name) => [
      name,
      [...new Set([...(preferred[name] ?? []), ...variable(name).sources])],
    ]),
  ) as Record<VariableName, string[]>;
}
