import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileSource } from "#server/ingest/byte-source.ts";
import { describeWithSamples } from "#test/samples.ts";
import { IndexError, readEcmwfIndex, readWgrib2Index } from "./index-readers.ts";
import { scanGrib2 } from "./scan.ts";

describe("a wgrib2 index", () => {
  const text = [
    "1:0:d=2025080100:PRATE:surface:7 hour fcst:",
    "2:500:d=2025080100:PRATE:surface:6-7 hour ave fcst:",
    "3.1:900:d=2025080100:UGRD:10 m above ground:7 hour fcst:",
    "3.2:900:d=2025080100:VGRD:10 m above ground:7 hour fcst:",
    "4:2000:d=2025080100:VIS:surface:anl:ens mean",
    "",
  ].join("\n");
  const entries = readWgrib2Index(text);

  it("distinguishes an instant from an average of the same element and level", () => {
    const rain = entries.filter(({ element, level }) => element === "PRATE" && level === "surface");
    expect(rain.map(({ message, window }) => [message, window])).toEqual([
      [1, "7 hour fcst"],
      [2, "6-7 hour ave fcst"],
    ]);
  });

  it("gives fields of one message the same bytes, and the last one no end", () => {
    expect(entries.map(({ message, part, offset, length }) => [message, part, offset, length])).toEqual([
      [1, 1, 0, 500],
      [2, 1, 500, 400],
      [3, 1, 900, 1100],
      [3, 2, 900, 1100],
      [4, 1, 2000, undefined],
    ]);
  });

  it.each(["<html>503 Slow down</html>", "1:0:d=2025080100:UGRD", "2:x:d=2025080100:UGRD:surface:anl:"])(
    "refuses %s",
    (line) => {
      expect(() => readWgrib2Index(`${text}${line}\n`)).toThrow(IndexError);
    },
  );
});

describe("an ECMWF index", () => {
  it.each(["{", "[]", "null", '{"_offset": -1, "_length": 5, "param": "2t", "levtype": "sfc"}'])(
    "refuses %s",
    (line) => {
      expect(() => readEcmwfIndex(line)).toThrow(IndexError);
    },
  );
});

describeWithSamples("real indices", (samples) => {
  const textOf = (name: string) => readFileSync(join(samples, name), "utf8");

  it("of GFS finds the most unstable CAPE among three layers and the surface", () => {
    const entries = readWgrib2Index(textOf("idx/gfs.t00z.pgrb2.0p25.f000.idx"));
    expect(entries).toHaveLength(696);
    const cape = entries.filter(({ element }) => element === "CAPE");
    expect(cape).toHaveLength(4);
    expect(cape.find(({ level }) => level === "255-0 mb above ground")).toMatchObject({
      message: 679,
      offset: 495826936,
      window: "anl",
    });
  });

  it("of HRRR distinguishes two accumulations", () => {
    const entries = readWgrib2Index(textOf("idx/hrrr.t00z.wrfsfcf08.grib2.idx"));
    const rain = entries.filter(({ element }) => element === "APCP");
    expect(rain.find(({ window }) => window === "7-8 hour acc fcst")?.offset).toBe(62669071);
    expect(new Set(rain.map(({ window }) => window)).size).toBe(2);
  });

  it("of an ensemble reads lines with additional fields", () => {
    const entries = readWgrib2Index(textOf("idx/geavg.t00z.pgrb2s.0p25.f000.idx"));
    expect(entries).toHaveLength(26);
    expect(entries[0]).toMatchObject({ element: "VIS", window: "anl", length: 526564 });
  });

  it("of GFS-Wave gives the offsets of the messages", () => {
    using source = fileSource(join(samples, "grib2/gdaswave.t00z.wcoast.0p16.f000.grib2"));
    const entries = readWgrib2Index(textOf("grib2/gdaswave.t00z.wcoast.0p16.f000.grib2.idx"));
    const { fields } = scanGrib2(source);
    expect(entries.map((entry) => entry.offset)).toEqual(fields.map((field) => field.offset));
    expect(entries.slice(0, -1).map((entry) => entry.length)).toEqual(
      fields.slice(0, -1).map((field) => field.length),
    );
  });

  it("of ECMWF distinguishes levels", () => {
    const entries = readEcmwfIndex(textOf("idx/aifs_single_20250301_00z_6h.index"));
    const find = (wanted: string) =>
      entries.find(
        ({ param, levtype, levelist }) => param === "v" && levtype === "pl" && levelist === wanted,
      );
    expect(find("925")).toMatchObject({ offset: 76972035, length: 670811 });
    expect(find("1013")).toBeUndefined();
    expect(entries.find(({ param }) => param === "10u")).toMatchObject({ levtype: "sfc", step: "6" });
  });
});
