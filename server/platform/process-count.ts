import os from "node:os";
import { MIN_MEMORY_MB } from "./memory-budget.ts";

/** The default of MEMORY_MB for one process. */
export const DEFAULT_MEMORY_MB = 512;

/** What the process takes that supervises others, MiB. */
export const SUPERVISOR_MB = 64;

/** Part of the machine's memory that `auto` uses where MEMORY_MB does not say how much. */
const MACHINE_PART = 0.5;

/** The settings that it depends on, as they are given. */
export type ProcessSettings = Readonly<
  Partial<Record<"PROCESSES" | "MEMORY_MB" | "ROLE" | "NODE_ENV", string>>
>;

/** Processor cores, and memory in MiB. */
export interface Machine {
  cores: number;
  memoryMb: number;
}

/** How many processes answer requests, and the budget of each, MiB. */
export interface ProcessShare {
  count: number;
  memoryMb: number;
}

/**
 * Divides the machine. Only requests are divided: a process that computes tasks or fetches feeds alone is one, and so is one
 * whose pages are edited. Values of the wrong form count as unset: they are reported where the environment is validated.
 */
export function processesOf(given: ProcessSettings, machine: Machine = thisMachine()): ProcessShare {
  const budget = /^\d{3,7}$/.test(given.MEMORY_MB ?? "") ? Number(given.MEMORY_MB) : undefined;
  const answers = !given.ROLE || given.ROLE === "all" || given.ROLE === "web";
  const count = answers && given.NODE_ENV !== "development" ? countOf(given.PROCESSES, budget, machine) : 1;
  if (count === 1) return { count, memoryMb: budget ?? DEFAULT_MEMORY_MB };
  const all = budget ?? count * DEFAULT_MEMORY_MB;
  return { count, memoryMb: Math.floor((all - SUPERVISOR_MB) / count) };
}

function countOf(text: string | undefined, budget: number | undefined, machine: Machine): number {
  if (text !== "auto") return /^[1-9]\d?$/.test(text ?? "") ? Number(text) : 1;
  const room =
    budget === undefined
      ? (MACHINE_PART * machine.memoryMb) / DEFAULT_MEMORY_MB
      : (budget - SUPERVISOR_MB) / MIN_MEMORY_MB;
  return Math.max(1, Math.min(machine.cores, Math.floor(room), MAX_PROCESSES));
}

/** Most processes of one machine. */
export const MAX_PROCESSES = 64;

/** Most that use the embedded PostgreSQL, whose connections are few. */
export const MAX_EMBEDDED_PROCESSES = 16;

function thisMachine(): Machine {
  // What a container may use, where it is one; otherwise 0 or more than there is.
  const bytes = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, os.totalmem());
  return { cores: os.availableParallelism(), memoryMb: bytes / 2 ** 20 };
}
