import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { type Field, fields } from "./fields.ts";
import { variable, variableNames } from "./variables.ts";

const contract = readFileSync(path.join(import.meta.dirname, "../../docs/contract/points.md"), "utf8");

const storedFields = (name: (typeof variableNames)[number]) =>
  Object.values(variable(name).stores) as Field[];

it("packs no number in coarser steps than the API rounds it to", () => {
  for (const name of variableNames)
    for (const { is, of, decimals } of variable(name).outputs)
      if (is === "value" || is === "speed")
        for (const field of of) expect(fields[field].scale).toBeLessThanOrEqual(10 ** -decimals);
});

it("turns no bearing of waves by more than the hundredth of a degree that GFS-Wave gives", () => {
  const { scale } = fields.sea_surface_wave_from_direction_x;
  const packed = (value: number) => scale * Math.round(value / scale);
  let worst = 0;
  for (let degrees = 0; degrees < 360; degrees += 0.01) {
    const radians = (degrees * Math.PI) / 180;
    const bearing = Math.atan2(packed(Math.sin(radians)), packed(Math.cos(radians)));
    const turned = Math.abs(bearing - Math.atan2(Math.sin(radians), Math.cos(radians)));
    worst = Math.max(worst, Math.min(turned, 2 * Math.PI - turned));
  }
  expect((worst * 180) / Math.PI).toBeLessThan(0.01);
});

it("is stated in the contract, for every variable", () => {
  const table = contract.slice(
    contract.indexOf("**Precision.**"),
    contract.indexOf("Steps may become finer"),
  );
  const stated = new Map<string, string>();
  for (const [, names, steps] of table.matchAll(/^\| (`.*`) \| (.*) \|$/gm))
    for (const [, name] of names!.matchAll(/`(\w+)`/g)) stated.set(name!, steps!);
  expect([...stated.keys()].sort()).toEqual([...variableNames].sort());
  for (const name of variableNames) {
    const numbers = [...stated.get(name)!.matchAll(/\d[\d.]*/g)].map(([number]) => Number(number));
    expect(new Set(numbers), name).toEqual(new Set(storedFields(name).map(({ scale }) => scale)));
  }
});
