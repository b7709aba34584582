import { BitWriter, bitsFor } from "./bits.ts";
import type { CodedValues } from "./coded-values.ts";
import { OctetWriter } from "./octet-writer.ts";

/** Sections 5 and 7 without their heads. */
export interface Packed {
  /** How the values are packed: section 5 from octet 6 on. */
  representation: OctetWriter;
  /** Section 7 from octet 6 on. */
  data: Uint8Array;
}

/** Octets 6 to 21 of section 5: number of values, template, reference, scaling, bits, type of the original values. */
export function representation(template: number, values: CodedValues, bits: number): OctetWriter {
  const { coded, smallest, largest, decimals } = values;
  const section = new OctetWriter().unsigned32(coded.length).unsigned16(template);
  // Where all values are equal some programs leave out the decimal scale: eccodes does.
  if (smallest === largest)
    section
      .float32(smallest / 10 ** decimals)
      .unsigned16(0)
      .unsigned16(0);
  else section.float32(smallest).unsigned16(0).signed16(decimals);
  return section.unsigned8(bits, 0);
}

/** Template 5.0: all numbers have the same number of bits, none where they are all equal. */
export function packSimply(values: CodedValues): Packed {
  const { coded, smallest, largest } = values;
  const bits = bitsFor(largest - smallest);
  const writer = new BitWriter(Math.ceil((coded.length * bits) / 8));
  writer.write(coded, 0, coded.length, smallest, bits);
  writer.align();
  return { representation: representation(0, values, bits), data: writer.bytes };
}
