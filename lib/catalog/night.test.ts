import { expect, it } from "vitest";
import { COLOURS, colourScales, colourTable, drawnVariables } from "./colours.ts";
import { duskTable, greyTable, nightTable } from "./night.ts";

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

it.each(drawnVariables)("%s in grey has hardly any colour left, and is as light as before", (name) => {
  const [table, grey] = [colourTable(colourScales[name]), greyTable(colourTable(colourScales[name]))];
  const spread = (of: Uint8Array, index: number) => {
    const rgb = of.subarray(4 * index, 4 * index + 3);
    return Math.max(...rgb) - Math.min(...rgb);
  };
  const luma = (of: Uint8Array, index: number) =>
    0.2126 * of[4 * index]! + 0.7152 * of[4 * index + 1]! + 0.0722 * of[4 * index + 2]!;
  for (let index = 0; index < COLOURS; index++) {
    expect(spread(grey, index)).toBeLessThanOrEqual(0.13 * spread(table, index) + 1);
    expect(Math.abs(luma(grey, index) - luma(table, index))).toBeLessThan(1);
    expect(grey[4 * index + 3]).toBe(table[4 * index + 3]);
  }
});
