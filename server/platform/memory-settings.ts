import { setFlagsFromString } from "node:v8";

/**
 * Settings of the C library and of V8 under which the server takes half of the memory at the same speed. They are read
 * when a process begins.
 */
const settings = {
  // An arena for each thread keeps what threads once needed; and a large block goes back to the system when it is freed.
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
} as const;

/** MiB, three times in each thread: where garbage waits for its collection. V8 would take 32. */
const YOUNG_MB = 8;

/**
 * The environment that a process has to begin with to be lean; undefined where it is so already. What somebody chose is
 * left as it is.
 */
export function memoryEnvironment(
  given: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> | undefined {
  if (Object.keys(settings).every((name) => given[name] !== undefined)) return undefined;
  // The last of two equal options counts, and that is the one of whoever starts the server.
  const options = [`--max-semi-space-size=${YOUNG_MB}`, given.NODE_OPTIONS].filter(Boolean).join(" ");
  return { ...settings, ...given, NODE_OPTIONS: options };
}

/**
 * Makes this process take little memory. On Linux it begins anew in its own place, with the same number, output and
 * arguments; to be called before anything is loaded.
 *
 * It reads the environment itself: reading it properly takes a schema and its library.
 */
export function applyMemorySettings(): void {
  const { argv, env, execArgv, execPath, platform } = process;
  const lean = memoryEnvironment(env);
  // A channel to the process that forked this one would not survive.
  if (platform === "linux" && lean && process.execve && env.NODE_CHANNEL_FD === undefined) {
    process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], lean as NodeJS.ProcessEnv);
  }
  // The optimising compiler takes 600 MiB and seconds for a single function of the embedded database, at every start, and
  // queries are no faster for it: their time goes elsewhere.
  setFlagsFromString("--no-wasm-tier-up");
  setFlagsFromString("--no-wasm-dynamic-tiering");
}
