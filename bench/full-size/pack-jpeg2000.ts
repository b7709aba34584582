import { createRequire } from "node:module";
import type { PackedSections } from "#test/feeds-mirror/grib-message.ts";
import { bitmapSection, dataSection, scaling } from "#test/feeds-mirror/pack-simple.ts";
import type { WholeNumbers } from "./pack-complex.ts";

interface Encoder {
  getDecodedBuffer(frame: {
    width: number;
    height: number;
    bitsPerSample: number;
    componentCount: number;
    isSigned: boolean;
    isUsingColorTransform: boolean;
  }): Uint8Array;
  setQuality(lossless: boolean, rate: number): void;
  encode(): void;
  getEncodedBuffer(): Uint8Array;
  delete(): void;
}

type Create = (options: { print(): void; printErr(): void }) => Promise<{ J2KEncoder: new () => Encoder }>;

/**
 * Columns of the image. NCEP writes the values that are there as an image of one row, which this encoder cannot: its width
 * has 16 bits.
 */
export const IMAGE_COLUMNS = 1024;

/** Template 5.40 without loss, as NCEP's wave model is packed. @returns A packer; as many values as whole rows have. */
export async function jpeg2000Packer(): Promise<(whole: WholeNumbers) => PackedSections> {
  const create = createRequire(import.meta.url)("@cornerstonejs/codec-openjpeg/wasmjs") as Create;
  const { J2KEncoder } = await create({ print() {}, printErr() {} });
  return (whole) => {
    const samples = Uint16Array.from(whole.numbers);
    const quantised = { ...whole, binary: 0, nodes: 0, numbers: samples };
    const encoder = new J2KEncoder();
    try {
      encoder
        .getDecodedBuffer({
          width: IMAGE_COLUMNS,
          height: samples.length / IMAGE_COLUMNS,
          bitsPerSample: 16,
          componentCount: 1,
          isSigned: false,
          isUsingColorTransform: false,
        })
        .set(new Uint8Array(samples.buffer));
      encoder.setQuality(true, 0);
      encoder.encode();
      const head = scaling(40, quantised).unsigned(1, 0, 0, 255).section(5);
      return [head, bitmapSection(quantised), dataSection(encoder.getEncodedBuffer().slice())];
    } finally {
      encoder.delete();
    }
  };
}
