import { keepCompiled } from "#server/platform/compile-cache.ts";
import { becomeLean } from "#server/platform/lean.ts";

// Before anything else is loaded: what was allocated already stays as it is.
becomeLean();
keepCompiled();
await import("#server/serve.ts");
