import {
  applyMemorySettings,
  enableCompileCache,
  lowerV8Threads,
} from "#server/platform/process-settings.ts";

// First: a process that executes itself again has the folder in its environment.
enableCompileCache();
// Before anything else is loaded: the settings do not affect memory that is already allocated.
applyMemorySettings();
lowerV8Threads();
await import("#server/process/start.ts");
