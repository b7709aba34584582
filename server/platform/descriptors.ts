import { readFileSync } from "node:fs";

/** Descriptors for files, threads, the database and what else is no client's connection. */
const RESERVED = 256;

/** Most files and sockets that this process may have open, after Node has raised it at its start; undefined off Linux. */
export function maxDescriptors(): number | undefined {
  try {
    return openFilesOf(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return undefined;
  }
}

/** @param limits The text of Linux's /proc/self/limits. */
export function openFilesOf(limits: string): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/**
 * How many connections can be open so that files can still be opened: of 1,024 descriptors 768. Never less than half of
 * the descriptors.
 */
export function maxConnectionsOf(descriptors: number | undefined): number {
  if (descriptors === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(descriptors - RESERVED, Math.floor(descriptors / 2));
}

/** Refused connections that are answered at the same time where descriptors are few; what is reserved has room for them. */
const MIN_REFUSED_AT_ONCE = 64;
const MAX_REFUSED_AT_ONCE = 2048;

/**
 * How many refused connections can be told why at the same time: each has a descriptor until its client has read it.
 *
 * @param connections That can be open.
 */
export function refusedAtOnceOf(descriptors: number | undefined, connections: number): number {
  const left = (descriptors ?? Number.POSITIVE_INFINITY) - RESERVED - connections;
  return Math.min(MAX_REFUSED_AT_ONCE, Math.max(MIN_REFUSED_AT_ONCE, left));
}
