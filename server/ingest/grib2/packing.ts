import { UnreadableError } from "./grib-error.ts";
import type { Octets } from "./octets.ts";

/** value = (reference + binaryFactor · coded) · decimalFactor. */
export interface Scaling {
  reference: number;
  binaryFactor: number;
  decimalFactor: number;
  /** Bits per coded number; 0 if every value is the reference. */
  bits: number;
}

export interface ComplexPacking extends Scaling {
  kind: "complex";
  /** Number of codes for missing values. */
  missingCodes: 0 | 1 | 2;
  groups: number;
  widthReference: number;
  widthBits: number;
  lengthReference: number;
  lengthIncrement: number;
  lastLength: number;
  lengthBits: number;
  /** Order of spatial differencing. */
  order: 0 | 1 | 2;
  /** Octets of each first value and of the smallest difference. */
  extraOctets: number;
}

export interface CcsdsPacking extends Scaling {
  kind: "ccsds";
  flags: number;
  blockSize: number;
  /** Blocks between two reference samples. */
  referenceInterval: number;
}

/** How the numbers of a field are coded: section 5. */
export type Packing =
  | ({ kind: "simple" | "jpeg2000" | "png" } & Scaling)
  | ComplexPacking
  | CcsdsPacking
  | { kind: "ieee"; bytes: 4 | 8 };

/** Reads section 5: templates 5.0, 5.2, 5.3, 5.4, 5.40, 5.41, 5.42, and 5.40000 and 5.40010, older numbers of two. */
export function readPacking(section: Octets): Packing {
  const template = section.unsigned16(10);
  switch (template) {
    case 0:
      return { kind: "simple", ...readScaling(section) };
    case 2:
    case 3:
      return readComplex(section, template);
    case 4:
      return { kind: "ieee", bytes: ieeeBytes(section.unsigned8(12)) };
    case 40:
    case 40000:
      return { kind: "jpeg2000", ...readScaling(section) };
    case 41:
    case 40010:
      return { kind: "png", ...readScaling(section) };
    case 42:
      return readCcsds(section);
    default:
      throw new UnreadableError(
        `data template 5.${template} is not read (only 5.0, 5.2, 5.3, 5.4, 5.40, 5.41 and 5.42)`,
      );
  }
}

function readScaling(section: Octets): Scaling {
  const reference = section.float32(12);
  const binary = section.signed16(16);
  const decimal = section.signed16(18);
  const bits = section.unsigned8(20);
  if (!Number.isFinite(reference) || Math.abs(binary) > 500 || Math.abs(decimal) > 100) {
    throw new UnreadableError(
      `its scaling (${reference}, 2^${binary}, 10^${-decimal}) is not that of real values`,
    );
  }
  if (bits > 32) throw new UnreadableError(`numbers of ${bits} bits are not read (at most 32)`);
  return { reference, binaryFactor: 2 ** binary, decimalFactor: 10 ** -decimal, bits };
}

function readComplex(section: Octets, template: 2 | 3): ComplexPacking {
  const missingCodes = section.unsigned8(23);
  if (missingCodes !== 0 && missingCodes !== 1 && missingCodes !== 2) {
    throw new UnreadableError(`its management of missing values (code ${missingCodes}) is unknown`);
  }
  const order = template === 3 ? section.unsigned8(48) : 0;
  // eccodes writes 5.3 with order 0, which is the same as 5.2.
  if (order !== 0 && order !== 1 && order !== 2) {
    throw new UnreadableError(`spatial differences of order ${order} are not read (only 1 and 2)`);
  }
  const extraOctets = template === 3 ? section.unsigned8(49) : 0;
  const widthBits = section.unsigned8(37);
  const lengthBits = section.unsigned8(47);
  if (extraOctets > 4 || widthBits > 32 || lengthBits > 32) {
    throw new UnreadableError("the widths of its groups are not possible");
  }
  return {
    kind: "complex",
    ...readScaling(section),
    missingCodes,
    groups: section.unsigned32(32),
    widthReference: section.unsigned8(36),
    widthBits,
    lengthReference: section.unsigned32(38),
    lengthIncrement: section.unsigned8(42),
    lastLength: section.unsigned32(43),
    lengthBits,
    order,
    extraOctets,
  };
}

function readCcsds(section: Octets): CcsdsPacking {
  return {
    kind: "ccsds",
    ...readScaling(section),
    flags: section.unsigned8(22),
    blockSize: section.unsigned8(23),
    referenceInterval: section.unsigned16(24),
  };
}

function ieeeBytes(precision: number): 4 | 8 {
  if (precision === 1) return 4;
  if (precision === 2) return 8;
  throw new UnreadableError(`IEEE numbers of precision ${precision} are not read (only 32 and 64 bits)`);
}
