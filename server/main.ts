import { enableCompileCache } from "#server/platform/compile-cache.ts";
import { lowerV8Threads } from "#server/platform/lower-priority.ts";
import { applyMemorySettings } from "#server/platform/memory-settings.ts";

// Before anything else is loaded: the settings do not affect memory that is already allocated.
applyMemorySettings();
lowerV8Threads();
enableCompileCache();
await import("#server/process/start.ts");
