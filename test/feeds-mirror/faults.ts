import type { Distortion } from "./distortions.ts";
import { asPublished, type Variant } from "./published.ts";

export const responseFaults = [
  "slow",
  "cut",
  "bot-page",
  "forbidden",
  "missing",
  "throttled",
  "error",
  "slow-down",
  "wrong-length",
  "garbage",
  "clock-skew",
] as const;

/** Faults of an object, which are the same for its index and all of its ranges as long as they last. */
export const objectFaults = [
  "index-cut",
  "truncated",
  "yesterday",
  "replaced",
  "not-numbers",
  "out-of-range",
  "land-mask",
  "mean-jump",
] as const;

export type ResponseFault = (typeof responseFaults)[number];
export type FaultName = ResponseFault | (typeof objectFaults)[number] | "lacks";

/** A fault with its place, and how often or how long it occurs. */
export interface Fault {
  fault: FaultName;
  /** Regular expression over "/host/path". */
  match: string;
  /** For the fault "lacks": fields that the object and its index do not have, by their names in it. */
  elements?: readonly string[];
  /** Number of responses that it affects; without it all, until it is removed. Object faults do not count responses. */
  times?: number | undefined;
  /** Start and end by the mirror's clock, Unix seconds. */
  from?: number | undefined;
  until?: number | undefined;
}

interface Active extends Fault {
  pattern: RegExp;
  left: number;
  /** Objects that were uploaded again. */
  replaced: Set<string>;
}

/** Share of a truncated object, so small that no profile finds all that it wants. */
const TRUNCATED_AT = 0.15;
const INDEX_CUT_AT = 0.6;
const distortions: readonly FaultName[] = ["not-numbers", "out-of-range", "land-mask", "mean-jump"];

export class Faults {
  private active: Active[] = [];

  add(fault: Fault): void {
    this.active.push({
      ...fault,
      pattern: new RegExp(fault.match),
      left: fault.times ?? Number.POSITIVE_INFINITY,
      replaced: new Set(),
    });
  }

  clear(): void {
    this.active = [];
  }

  list(): Fault[] {
    return this.active.map(({ fault, match, left, from, until }) => ({
      fault,
      match,
      ...(Number.isFinite(left) ? { times: left } : {}),
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until }),
    }));
  }

  /** The fault of one response, which counts as used. @param name "/host/path". */
  forResponse(name: string, now: number): ResponseFault | undefined {
    const found = this.matching(name, now).find(({ fault }) => isResponseFault(fault));
    if (!found) return undefined;
    found.left--;
    return found.fault as ResponseFault;
  }

  /** The served variant of an object. @param object "/host/path" of the object; for an index that of its object. */
  variantOf(object: string, now: number): Variant {
    const variant: Variant = { ...asPublished };
    for (const { fault, replaced, elements = [] } of this.matching(object, now)) {
      if (fault === "yesterday") variant.hoursEarlier = 24;
      else if (fault === "truncated") variant.whole = TRUNCATED_AT;
      else if (fault === "index-cut") variant.wholeIndex = INDEX_CUT_AT;
      else if (fault === "replaced" && replaced.has(object)) variant.revision = 1;
      else if (fault === "lacks") variant.lacks = [...variant.lacks, ...elements];
      else if (distortions.includes(fault)) variant.distortion = fault as Distortion;
    }
    return variant;
  }

  /** Called after an object or its index was read: with the fault "replaced", the next read gets another variant. */
  wasRead(object: string, now: number): void {
    for (const { fault, replaced } of this.matching(object, now)) {
      if (fault === "replaced") replaced.add(object);
    }
  }

  /** Faults of the object itself. */
  namesOf(object: string, now: number): FaultName[] {
    return this.matching(object, now).flatMap(({ fault }) => (isResponseFault(fault) ? [] : [fault]));
  }

  private matching(name: string, now: number): Active[] {
    this.active = this.active.filter(({ until, left }) => left > 0 && (until === undefined || now < until));
    return this.active.filter(
      ({ pattern, from }) => (from === undefined || now >= from) && pattern.test(name),
    );
  }
}

function isResponseFault(fault: FaultName): boolean {
  return (responseFaults as readonly FaultName[]).includes(fault);
}
