import { describe, expect, it } from "vitest";
import { openNetcdfRecords } from "#server/ingest/netcdf-file.ts";
import { matches } from "#server/ingest/sources/source.ts";
import { CfFile } from "./cf.ts";
import type { Attributes, NetcdfFile, NetcdfVariable } from "./file.ts";

interface Axis {
  name: string;
  values: readonly number[];
  attributes?: Attributes;
}

/** A file with a field `u` on a vertical axis at 2 × 2 places. Each value is the index of its level. */
function fileWith({ level, field = {} }: { level?: Axis; field?: Attributes }): NetcdfFile {
  const variable = (name: string, lengths: [string, number][], attributes: Attributes): NetcdfVariable => ({
    name,
    dimensions: lengths.map(([name, length]) => ({ name, length })),
    attributes,
    numeric: true,
    float: true,
  });
  const levels = level
    ? [variable(level.name, [[level.name, level.values.length]], level.attributes ?? {})]
    : [];
  const variables = [
    variable("lat", [["lat", 2]], { units: "degrees_north" }),
    variable("lon", [["lon", 2]], { units: "degrees_east" }),
    ...levels,
    variable(
      "u",
      [...levels.map(({ name }): [string, number] => [name, level!.values.length]), ["lat", 2], ["lon", 2]],
      {
        units: "m s-1",
        ...field,
      },
    ),
  ];
  const values: Record<string, readonly number[]> = { lat: [0, 1], lon: [10, 11] };
  if (level) values[level.name] = level.values;
  return {
    attributes: {},
    variables: new Map(variables.map((each) => [each.name, each])),
    read: (name, start) => Float64Array.from(values[name] ?? [0, 0, 0, 0].map(() => (level ? start[0]! : 7))),
    close() {},
  };
}

const uOf = (of: Parameters<typeof fileWith>[0]) => {
  const { gridded, rejected } = new CfFile(fileWith(of));
  return gridded[0]?.levels ?? rejected.map(({ reason }) => reason);
};

describe("a vertical axis is read by its units, standard name and direction", () => {
  it.each<[string, Axis, number[]]>([
    ["heights in metres", { name: "height", values: [2, 10], attributes: { units: "m" } }, [2, 10]],
    [
      "heights in kilometres",
      { name: "height", values: [0.01, 0.1], attributes: { units: "km", standard_name: "height" } },
      [10, 100],
    ],
    [
      "heights in feet",
      { name: "z", values: [0, 100], attributes: { units: "ft", positive: "up" } },
      [0, 30.48],
    ],
    ["depths", { name: "depth", values: [0, 5], attributes: { units: "m", positive: "down" } }, [0, -5]],
    [
      "heights with a number in their name",
      { name: "height_above_ground1", values: [10], attributes: { units: "m" } },
      [10],
    ],
    ["depths that only their name tells", { name: "depth", values: [0.5, 5] }, [-0.5, -5]],
    [
      "depths counted upwards",
      { name: "depth", values: [-0.5, -5], attributes: { units: "meters", positive: "up" } },
      [-0.5, -5],
    ],
    [
      "depths in fathoms",
      { name: "d", values: [1], attributes: { units: "fathoms", standard_name: "depth" } },
      [-1.8288],
    ],
  ])("reads %s as heights above the surface in metres", (_, level, expected) => {
    const found = uOf({ level });
    expect(found).toHaveLength(expected.length);
    for (const [index, height] of expected.entries()) expect(found[index]).toBeCloseTo(height, 9);
  });

  it.each<[string, Axis, string]>([
    [
      "pressures",
      { name: "plev", values: [1000, 10, 1], attributes: { units: "hPa", positive: "down" } },
      "its vertical axis plev (hPa) does not have heights or depths in metres",
    ],
    [
      "one pressure",
      { name: "isobaric", values: [85_000], attributes: { units: "Pa" } },
      "its vertical axis isobaric (Pa) does not have heights or depths in metres",
    ],
    [
      "a pressure that only its standard name tells",
      { name: "p", values: [850], attributes: { units: "mb", standard_name: "air_pressure" } },
      "its vertical axis p (mb) does not have heights or depths in metres",
    ],
    [
      "hybrid levels, of which 1 is the top",
      { name: "level", values: [1, 2], attributes: { units: "1", standard_name: "model_level_number" } },
      "its vertical axis level (model_level_number) does not have heights or depths in metres",
    ],
    [
      "one hybrid level",
      { name: "hybrid", values: [1] },
      "its vertical axis hybrid (no units) does not have heights or depths in metres",
    ],
    [
      "sigma",
      {
        name: "s_rho",
        values: [-0.9],
        attributes: { standard_name: "ocean_s_coordinate_g2", positive: "up" },
      },
      "its vertical axis s_rho (ocean_s_coordinate_g2) does not have heights or depths in metres",
    ],
    [
      "heights that grow downwards",
      { name: "height", values: [10], attributes: { units: "m", standard_name: "height", positive: "down" } },
      "its vertical axis height is a height and says that it grows downwards",
    ],
    [
      "metres without a sense",
      { name: "lev", values: [10], attributes: { units: "m" } },
      "its vertical axis lev does not say whether it has heights or depths",
    ],
    [
      "metres on an axis of any name",
      { name: "z", values: [500], attributes: { units: "m" } },
      "its vertical axis z does not say whether it has heights or depths",
    ],
    [
      "a sense that is none",
      { name: "z", values: [10], attributes: { units: "m", positive: "sideways" } },
      'its vertical axis z is positive "sideways", not up or down',
    ],
    [
      "a unit that is a word of the language",
      { name: "z", values: [10], attributes: { units: "constructor", positive: "up" } },
      "its vertical axis z (constructor) does not have heights or depths in metres",
    ],
  ])("refuses %s by name", (_, level, reason) => {
    expect(uOf({ level })).toEqual([reason]);
  });

  it("refuses two vertical axes", () => {
    const file = fileWith({ level: { name: "height", values: [10] } });
    const variables = new Map(file.variables);
    const [u, height] = [variables.get("u")!, variables.get("height")!];
    const depth = { name: "depth", length: 3 };
    variables.set("depth", { ...height, name: "depth", dimensions: [depth] });
    variables.set("u", { ...u, dimensions: [depth, ...u.dimensions] });
    expect(new CfFile({ ...file, variables }).rejected).toMatchObject([
      { reason: "it has more than one vertical axis" },
    ]);
  });

  it("does not take a depth of 10 m for a height of 10 m", () => {
    const records = (name: string) =>
      openNetcdfRecords(
        "file",
        fileWith({ level: { name, values: [0, 10], attributes: { units: "m" } } }),
        1e9,
      )
        .scan()
        .records.filter((record) =>
          matches({ kind: "netcdf", variable: "u", unit: "m s-1", height: 10 }, record),
        );
    expect(records("height")).toMatchObject([{ levelIndex: 1 }]);
    expect(records("depth")).toEqual([]);
  });
});

describe("an attribute of the packing must be a number", () => {
  const reasonsOf = (field: Attributes) =>
    new CfFile(fileWith({ field })).rejected.map(({ reason }) => reason);

  it.each<[Attributes, string]>([
    [{ scale_factor: "0.5" }, 'scale_factor of u is the text "0.5", no number'],
    [{ add_offset: "1" }, 'add_offset of u is the text "1", no number'],
    [{ _FillValue: "-999" }, '_FillValue of u is the text "-999", no number'],
    [{ missing_value: "NaN" }, 'missing_value of u is the text "NaN", no number'],
    [{ valid_min: "0" }, 'valid_min of u is the text "0", no number'],
    [{ valid_max: "9" }, 'valid_max of u is the text "9", no number'],
    [{ valid_range: "0, 9" }, 'valid_range of u is the text "0, 9", no number'],
    [{ valid_range: [0] }, "valid_range of u is 0"],
    [{ scale_factor: [1, 2] }, "scale_factor of u is 1, 2"],
    [{ scale_factor: Number.NaN }, "scale_factor of u is NaN"],
    [{ scale_factor: 0 }, "scale_factor and add_offset of u are 0 and 0"],
    [{ add_offset: Number.POSITIVE_INFINITY }, "scale_factor and add_offset of u are 1 and Infinity"],
  ])("refuses a field with %o by the name of the attribute", (field, reason) => {
    expect(reasonsOf(field)).toEqual([reason]);
  });

  it("refuses a field whose coordinate has such an attribute, and reads one with all of them as numbers", () => {
    const level = { name: "height", values: [10], attributes: { units: "m", scale_factor: "2" } };
    expect(uOf({ level })).toEqual(['scale_factor of height is the text "2", no number']);
    expect(reasonsOf({ scale_factor: 0.5, add_offset: 1, _FillValue: -9, valid_range: [0, 10] })).toEqual([]);
  });
});
