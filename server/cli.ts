import { enableCompileCache } from "#server/platform/process-settings.ts";

enableCompileCache();
await import("#server/process/commands.ts");
