import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bufferSource } from "./byte-source.ts";
import { unpackCcsds } from "./ccsds.ts";
import { scanGrib2 } from "./scan.ts";

const bytes = readFileSync(new URL("./fixtures/templates.grib2", import.meta.url));
const fields = scanGrib2(bufferSource("templates.grib2", bytes)).fields.flatMap((field) =>
  field.packing.kind === "ccsds" && field.packing.bits > 0 ? [{ ...field, packing: field.packing }] : [],
);

it("values do not depend on what was decoded before, nor on octets that follow the coded ones", () => {
  for (const { data, packing, coded } of fields.slice(0, 3)) {
    const section = bytes.subarray(data.offset, data.offset + data.length);
    const values = unpackCcsds(section, packing, coded);
    // This is more than the memory that messages share.
    const longer = new Uint8Array(2 ** 24).fill(0xff);
    longer.set(section);
    expect(unpackCcsds(longer, packing, coded)).toEqual(values);
    expect(unpackCcsds(section, packing, coded)).toEqual(values);
  }
});

it("a stream that ends early is damage wherever it ends, even behind a longer one", () => {
  for (const { data, packing, coded } of fields) {
    const section = bytes.subarray(data.offset, data.offset + data.length);
    unpackCcsds(section, packing, coded);
    for (let cut = section.length - 1; cut >= 0; cut -= 1 + Math.floor(section.length / 50))
      expect(() => unpackCcsds(section.subarray(0, cut), packing, coded)).toThrow(
        "damaged: its CCSDS blocks do not hold its values",
      );
  }
});

// The identifier 001 is that of samples in unary. A difference follows the reference, 111.
it.each([
  ["samples", 0, "001"],
  ["differences", 8, "001111"],
])("%s that lead to a number of more bits than stated are damage", (_, flags, head) => {
  const scaling = { reference: 0, binaryFactor: 1, decimalFactor: 1, bits: 3 };
  const packing = { kind: "ccsds", ...scaling, flags, blockSize: 2, referenceInterval: 1 } as const;
  const unpack = (number: number) => {
    const octets = `${head}${"0".repeat(number)}11`.padEnd(24, "0").match(/.{8}/g)!;
    return unpackCcsds(
      Uint8Array.from(octets, (octet) => Number.parseInt(octet, 2)),
      packing,
      2,
    );
  };
  expect(unpack(7)).toEqual(Float32Array.of(7, 0));
  expect(() => unpack(8)).toThrow("damaged: its CCSDS blocks do not hold its values");
});
