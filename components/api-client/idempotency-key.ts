import { randomKey } from "#clients/typescript/src/request.ts";

/** A new Idempotency-Key: the same request sent again with it does what it does once. */
export const newIdempotencyKey = (): string => randomKey();
