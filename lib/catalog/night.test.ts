import { expect, it } from "vitest";
import { COLOURS, colourScales, colourTable, drawnVariables } from "./colours.ts";
import { duskTable, nightTable } from "./night.ts";

const column = (table: Uint8Array, channel: number) =>
  Array.from({ length: COLOURS }, (_, index) => table[4 * index + channel]!);

it.each(drawnVariables)("%s at night is only red, and never as bright as the text", (name) => {
  const table = nightTable(colourTable(colourScales[name]));
  expect(Math.max(...column(table, 0))).toBeLessThanOrEqual(190);
  expect(Math.max(...column(table, 1))).toBeLessThanOrEqual(34);
  expect(Math.max(...column(table, 2))).toBe(0);
});

it.each(drawnVariables)("%s is ordered at night as by day, and calm is nearly black", (name) => {
  const red = column(nightTable(colourTable(colourScales[name]), colourScales[name].lightByNight), 0);
  const ordered = red[0]! < red.at(-1)! ? red : red.toReversed();
  expect(ordered[0]).toBeLessThan(40);
  expect(ordered.at(-1)).toBeGreaterThan(180);
  for (let index = 4; index < COLOURS; index += 4)
    expect(ordered[index]).toBeGreaterThanOrEqual(ordered[index - 4]!);
});

it.each(drawnVariables)("white has a contrast of at least 3 : 1 on %s at dusk", (name) => {
  const table = duskTable(colourTable(colourScales[name]));
  const linear = (byte: number) =>
    byte <= 10.31475 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4;
  for (let at = 0; at < table.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = table.subarray(at, at + 3);
    const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    expect(1.05 / (luminance + 0.05)).toBeGreaterThan(3);
  }
});
