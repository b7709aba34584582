import type { VariableName } from "./variables.ts";

/** The sources that answer for each variable, best first. */
export type SourceOrder = Readonly<Record<VariableName, readonly string[]>>;
