import { z } from "zod";

/**
 * zod compiles its checks by `eval` where it may; our content security policy forbids that and reports the attempt.
 * Schemas settle it when they are made, so this is imported before any of them.
 */
z.config({ jitless: true });
