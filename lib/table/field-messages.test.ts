import { bufferSource } from "@open-metocean/grib2/byte-source";
import { decodeGrib2 } from "@open-metocean/grib2/decode";
import { regularGrid } from "@open-metocean/grib2/message";
import { scanGrib2 } from "@open-metocean/grib2/scan";
import { describe, expect, it } from "vitest";
import { fieldsOf } from "#lib/catalog/fields.ts";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { hasEccodes, readByEccodes } from "#test/eccodes.ts";
import { gribMessages, statisticMessage } from "./field-messages.ts";

const grid = regularGrid(Float64Array.of(30, 31), Float64Array.of(10, 11));
const time = Date.UTC(2026, 0, 1) / 1000;

/** One message of every field that has a GRIB2 parameter. */
const all = variableNames.flatMap((variable) => {
  const columns = new Map(fieldsOf(variable).map((field) => [field, Float64Array.of(1, 1, 1, 1)]));
  const part = { variable, time, columns, referenceTime: time };
  return [...gribMessages(part, { grid, windHeight: 10, packing: "simple", synthetic: false })];
});

describe.skipIf(!hasEccodes())("fields of GRIB2 files", () => {
  const read = () => readByEccodes(Buffer.concat(all));

  it("have a name in eccodes, and so in cfgrib and xarray", () => {
    const names = ["ocu", "ocv", "10u", "10v", "gust", "swh", "mwd", "mwp", "sst", "swell", "swdir", "swper"];
    names.push("shww", "wvdir", "mpww", "prate", "cape", "2t", "tcc", "prmsl");
    expect(read().map(({ shortName }) => shortName)).toEqual(names);
  });

  it("lie where XyGrib looks for them: cloud at 200, CAPE at 1; a centre is named for a code of its own only", () => {
    const messages = read();
    const placeOf = (name: string) => messages.find(({ shortName }) => shortName === name);
    expect(placeOf("tcc")).toMatchObject({ typeOfFirstFixedSurface: "200", centre: "kwbc" });
    expect(placeOf("cape")).toMatchObject({ typeOfFirstFixedSurface: "sfc" });
    expect(messages.filter(({ centre }) => centre !== "65535")).toHaveLength(1);
  });
});

it("a mean temperature of members is in kelvin, and their spread, which is a difference, has no offset", () => {
  const output = variable("temp").outputs[0]!;
  const written = (statistic: "mean" | "spread") => {
    const part = {
      variable: "temp",
      time,
      referenceTime: time,
      ensemble: { statistic, of: 31 },
    } as const;
    const answer = { grid, windHeight: 10, packing: "simple", synthetic: false } as const;
    return Buffer.from(statisticMessage(part, output, Float64Array.of(2, 2, 2, 2), answer)!);
  };
  const source = bufferSource("written", Buffer.concat([written("mean"), written("spread")]));
  const values = scanGrib2(source).fields.map((field) => decodeGrib2(source, field)[0]);
  expect(values).toEqual([expect.closeTo(275.15, 2), expect.closeTo(2, 2)]);
});
