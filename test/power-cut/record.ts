import fs from "node:fs";
import fsp, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { type DiskEvent, DiskLog } from "./disk-log.ts";

/** A folder whose changes are recorded, or refused. */
export interface RecordedFolder {
  /** Records a promise of the code under test. */
  mark(label: string, value: unknown): void;
  /** Makes this many writes fail as on a full disk, after some that succeed. */
  fill(writes: number, after?: number): void;
  events: readonly DiskEvent[];
}

/**
 * Functions of the file system that are not recorded, so that the code under test must not use them in a recorded
 * folder.
 */
const UNRECORDED = [
  "appendFile",
  "copyFile",
  "cp",
  "truncate",
  "symlink",
  "mkdtemp",
  "createWriteStream",
  "mkdirSync",
  "renameSync",
  "rmSync",
  "writeFileSync",
] as const;

/**
 * Records every change below an empty folder while some code runs, whichever function of Node makes it: the functions
 * of `node:fs` are replaced for this process.
 */
export async function recordChanges(
  root: string,
  work: (folder: RecordedFolder) => Promise<void>,
): Promise<DiskEvent[]> {
  const log = new DiskLog();
  let [failing, before] = [0, 0];
  const place = (target: unknown): string | undefined => {
    if (typeof target !== "string") return undefined;
    const relative = path.relative(root, path.resolve(target));
    return relative.startsWith("..") ? undefined : relative.split(path.sep).join("/");
  };
  const refuseWhenFull = () => {
    if (failing === 0 || before-- > 0) return;
    failing--;
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
  };
  const [native, nativePromises] = [{ ...fs }, { ...fsp }];

  const opened = (target: string, flags: unknown) => {
    const relative = place(target);
    if (relative === undefined) return undefined;
    const known = log.find(relative);
    if (/[wa]/.test(String(flags ?? "r")) && !known) return log.file(relative);
    if (/[wa]/.test(String(flags)) && !String(flags).includes("x"))
      throw new Error(`${target} is written in place`);
    return known;
  };

  const wrapHandle = (handle: FileHandle, node: NonNullable<ReturnType<typeof opened>>): FileHandle => {
    const { sync } = handle;
    const write = handle.write as (...args: unknown[]) => Promise<{ bytesWritten: number }>;
    let position = 0;
    const put = async (bytes: Buffer, at?: number | null) => {
      refuseWhenFull();
      const { bytesWritten } = await write.call(handle, bytes, 0, bytes.length, at ?? position);
      if ("length" in node) log.write(node, at ?? position, bytes.subarray(0, bytesWritten));
      if (typeof at !== "number") position += bytesWritten;
      return bytesWritten;
    };
    return Object.assign(handle, {
      async write(data: string | Uint8Array, ...rest: (number | null | undefined)[]) {
        if (typeof data === "string")
          return { bytesWritten: await put(Buffer.from(data), rest[0]), buffer: data };
        const [from = 0, length] = rest;
        const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength).subarray(from ?? 0);
        return { bytesWritten: await put(bytes.subarray(0, length ?? bytes.length), rest[2]), buffer: data };
      },
      async writeFile(
        content: string | Uint8Array | AsyncIterable<Uint8Array>,
        options?: { signal?: AbortSignal },
      ) {
        const pieces =
          typeof content === "string" || content instanceof Uint8Array ? [Buffer.from(content)] : content;
        for await (const piece of pieces) {
          options?.signal?.throwIfAborted();
          await put(Buffer.from(piece));
        }
      },
      async sync() {
        const upTo = log.events.length;
        await sync.call(handle);
        log.sync(node, upTo);
      },
    });
  };

  // The event is noted after the change, so that the log contains only what has happened.
  const after =
    <Args extends unknown[]>(change: (...args: Args) => Promise<unknown>, note: (...args: Args) => void) =>
    async (...args: Args) => {
      const value = await change(...args);
      note(...args);
      return value;
    };
  const noteFolder = (target: string) => {
    const relative = place(target);
    if (relative === undefined) return;
    const parts = relative.split("/").filter(Boolean);
    for (const index of parts.keys()) log.folder(parts.slice(0, index + 1).join("/"));
  };
  const noteRemoval = (target: string) => {
    const relative = place(target);
    if (relative !== undefined) log.remove(relative);
  };
  const noteTwo = (from: string, to: string, note: "rename" | "link") => {
    const [source, target] = [place(from), place(to)];
    if (source !== undefined && target !== undefined) log[note](source, target);
  };

  const asynchronous = {
    mkdir: after(nativePromises.mkdir as (target: string) => Promise<unknown>, noteFolder),
    rename: after(nativePromises.rename as (a: string, b: string) => Promise<unknown>, (a, b) =>
      noteTwo(a, b, "rename"),
    ),
    link: after(nativePromises.link as (a: string, b: string) => Promise<unknown>, (a, b) =>
      noteTwo(a, b, "link"),
    ),
    rm: after(nativePromises.rm as (target: string) => Promise<unknown>, noteRemoval),
    unlink: after(nativePromises.unlink as (target: string) => Promise<unknown>, noteRemoval),
    open: async (target: string, flags?: string, mode?: number) => {
      const handle = await nativePromises.open(target, flags, mode);
      const node = opened(target, flags);
      return node ? wrapHandle(handle, node) : handle;
    },
  };
  const refused = (module: Record<string, unknown>) =>
    Object.fromEntries(
      UNRECORDED.filter((name) => name in module).map((name) => [
        name,
        (target: unknown, ...rest: unknown[]) => {
          if (place(target) !== undefined) throw new Error(`${name} of ${target} is not recorded`);
          return (module[name] as (...args: unknown[]) => unknown)(target, ...rest);
        },
      ]),
    );
  const restoring = [
    replace(fs, refused(native)),
    replace(fsp, { ...refused(nativePromises), ...asynchronous }),
  ];
  try {
    await work({
      mark: (label, value) => log.mark(label, value),
      fill: (writes, after = 0) => {
        [failing, before] = [writes, after];
      },
      events: log.events,
    });
  } finally {
    for (const restore of restoring) restore();
  }
  return log.events;
}

/** Replaces functions of a module of Node for all who import it. @returns A function that restores them. */
function replace(module: object, functions: Record<string, unknown>): () => void {
  const former = Object.fromEntries(Object.keys(functions).map((name) => [name, Reflect.get(module, name)]));
  Object.assign(module, functions);
  syncBuiltinESMExports();
  return () => {
    Object.assign(module, former);
    syncBuiltinESMExports();
  };
}
