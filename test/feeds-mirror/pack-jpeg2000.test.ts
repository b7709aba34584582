import { expect, it } from "vitest";
import { decodeCodeStream } from "#server/ingest/grib2/jpeg2000/decode.ts";
import { seeded } from "#test/seeded.ts";
import { packJpeg2000 } from "./pack-jpeg2000.ts";
import { quantise } from "./pack-simple.ts";

it.each([1, 64, 65, 1000, 40_000])("packs %i values without loss", (count) => {
  const random = seeded(count);
  for (const range of [0, 1, 300, 65_000]) {
    const values = Float64Array.from(
      { length: count },
      (_, i) => range * (0.5 + 0.4 * Math.sin(i / 50) + 0.1 * random()),
    );
    const quantised = quantise(values, 0);
    const data = packJpeg2000(quantised)[2]!.subarray(5);
    expect(Uint16Array.from(decodeCodeStream(data, count))).toEqual(quantised.numbers);
  }
});
