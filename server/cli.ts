import { enableCompileCache } from "#server/platform/compile-cache.ts";

enableCompileCache();
await import("#server/process/commands.ts");
