import { enableCompileCache } from "#server/platform/compile-cache.ts";
import { applyMemorySettings } from "#server/platform/memory-settings.ts";

// Before anything else is loaded: what was allocated already stays as it is.
applyMemorySettings();
enableCompileCache();
await import("#server/process/serve.ts");
