// Generated from the contract by scripts/client-types.ts. Do not edit.

export interface ValidationIssue {
  /** Kind of the fault, such as missing or less_than_equal. */
  type: string;
  /** Where: ["body", "points", 0, "latitude"]. */
  loc: (string | number)[];
  msg: string;
  /** The rule's own numbers and words. */
  ctx?: Record<string, unknown>;
}
