import { z } from "zod";

/**
 * zod compiles its checks with `eval` where it may; the content security policy forbids that and reports the attempt.
 * Schemas read this setting when they are created, so this module is imported before any of them.
 */
z.config({ jitless: true });
