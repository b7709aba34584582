import type { Distortion } from "./distortions.ts";
import { asPublished, type Variant } from "./published.ts";

/** Faults of one response. */
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

/** Faults of an object, the same for its index and all of its ranges for as long as they last. */
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

/** What goes wrong, where and how often or for how long. */
export interface Fault {
  fault: FaultName;
  /** Regular expression over "/host/path". */
  match: string;
  /** Of the fault "lacks": fields that the object and its index do not have, by their names in it. */
  elements?: readonly string[];
  /** Responses that it spoils; without it all, until it is removed. An object's faults count no responses. */
  times?: number | undefined;
  /** The mirror's time from which and until which it lasts, Unix seconds. */
  from?: number | undefined;
  until?: number | undefined;
}

interface Active extends Fault {
  pattern: RegExp;
  left: number;
  /** Objects that were uploaded again. */
  replaced: Set<string>;
}

/** Of an object so little is left that no profile finds all it wants. */
const TRUNCATED_AT = 0.15;
const INDEX_CUT_AT = 0.6;
const distortions: readonly FaultName[] = ["not-numbers", "out-of-range", "land-mask", "mean-jump"];

/** The faults of a mirror. */
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

  /** The fault of one response, which is used up by it. @param name "/host/path". */
  forResponse(name: string, now: number): ResponseFault | undefined {
    const found = this.matching(name, now).find(({ fault }) => isResponseFault(fault));
    if (!found) return undefined;
    found.left--;
    return found.fault as ResponseFault;
  }

  /** Which content of an object is served. @param object "/host/path" of the object, of an index that of its object. */
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

  /** An object or its index was read: where that is the fault, the next content is another one. */
  wasRead(object: string, now: number): void {
    for (const { fault, replaced } of this.matching(object, now)) {
      if (fault === "replaced") replaced.add(object);
    }
  }

  /** Faults of an object itself. */
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
