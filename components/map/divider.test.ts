import { expect, it } from "vitest";
import { clipOf, openDivider, wholeWidth } from "./divider.ts";

it("every pixel belongs to exactly one of two pictures, wherever the divider is; one picture has all", () => {
  const divider = openDivider(0.5);
  for (const at of [0, 0.2503, 0.5, 0.75, 1]) {
    divider.move(at);
    const [[, end], [start]] = [clipOf("a", divider, 390), clipOf("b", divider, 390)];
    expect([end, start]).toEqual([Math.round(390 * at), Math.round(390 * at)]);
  }
  expect([clipOf("a", undefined, 390), clipOf(undefined, divider, 390)]).toEqual([wholeWidth, wholeWidth]);
});

it("stays on the map, and tells who listens only where it moved", () => {
  const divider = openDivider(0.5);
  const heard: number[] = [];
  const end = divider.onMove(() => heard.push(divider.at));
  for (const at of [1.4, 2]) divider.move(at);
  end();
  divider.move(-1);
  expect([divider.at, heard]).toEqual([0, [1]]);
});
