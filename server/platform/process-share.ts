import { availableParallelism } from "node:os";
import { maxConnectionsOf, maxDescriptors, refusedAtOnceOf } from "./descriptors.ts";
import { type MemoryBudget, MIN_MEMORY_MB, memoryBudget } from "./memory-budget.ts";
import { processesOf, SUPERVISOR_MB } from "./process-count.ts";

interface ProcessSettings {
  PROCESSES: string;
  MEMORY_MB?: number;
  CHUNK_CACHE_MB?: number;
  ROLE: string;
  NODE_ENV: string;
}

/** What one of the processes that answer requests has. */
interface Share {
  processes: number;
  /** Processor cores, at least one. */
  cores: number;
  /** Of its caches and threads. */
  memory: MemoryBudget;
}

/** How many processes answer requests, and what one of them may use. @throws RangeError */
export function processShareOf(read: ProcessSettings): Share {
  const { count, memoryMb } = processesOf({ ...read, MEMORY_MB: read.MEMORY_MB?.toString() });
  if (count > 1 && memoryMb < MIN_MEMORY_MB) {
    throw new RangeError(
      `at least ${count * MIN_MEMORY_MB + SUPERVISOR_MB} for ${count} processes, which divide it`,
    );
  }
  const cores = Math.max(1, Math.floor(availableParallelism() / count));
  const chunkCacheMb = read.CHUNK_CACHE_MB && Math.max(1, Math.floor(read.CHUNK_CACHE_MB / count));
  return { processes: count, cores, memory: memoryBudget(memoryMb, cores, chunkCacheMb) };
}

interface ConnectionSettings {
  MAX_CONNECTIONS: number;
  MAX_CONNECTIONS_PER_ADDRESS?: number | "off";
  TRUSTED_PROXIES: number;
}

/** Connections of one of several processes: together they have what is allowed. */
export function connectionShareOf(read: ConnectionSettings, processes: number) {
  const descriptors = maxDescriptors();
  const all = Math.min(Math.ceil(read.MAX_CONNECTIONS / processes), maxConnectionsOf(descriptors));
  // All connections come from the address of the proxy.
  const unset = read.TRUSTED_PROXIES > 0 ? all : Math.ceil(all / 4);
  const given = read.MAX_CONNECTIONS_PER_ADDRESS;
  const ofAddress = given === undefined ? unset : given === "off" ? all : Math.ceil(given / processes);
  return {
    all,
    ofAddress: Math.min(all, ofAddress),
    refusedAtOnce: refusedAtOnceOf(descriptors, all),
  };
}
