import { keepCompiled } from "#server/platform/compile-cache.ts";

keepCompiled();
await import("#server/command-line.ts");
