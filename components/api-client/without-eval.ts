import { z } from "zod";

/**
 * zod compiles its checks with `eval` if it can; the content security policy forbids that and reports the
 * attempt. Schemas read this setting when they are created, so this module must be imported first.
 */
z.config({ jitless: true });
