import type { VariableName } from "./variables.ts";

/** Name of the choice that takes each value from the source that stands first for its variable. */
export const BEST = "best";

/** Names of models in requests and links. */
export const MODEL_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Most models of one request. */
export const MAX_MODELS = 8;

/** The sources that answer for each variable, best first. */
export type SourceOrder = Readonly<Record<VariableName, readonly string[]>>;
