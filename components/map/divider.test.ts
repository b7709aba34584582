import { expect, it } from "vitest";
import { clipOf, openDivider, wholeWidth } from "./divider.ts";

it("every pixel belongs to exactly one of two pictures, wherever the divider is", () => {
  const divider = openDivider(0.5);
  for (const at of [0, 0.2503, 0.5, 0.75, 1]) {
    divider.move(at);
    const [[, end], [start]] = [clipOf("a", divider, 390), clipOf("b", divider, 390)];
    expect(end).toBe(start);
    expect(end).toBe(Math.round(390 * at));
  }
});

it("one picture has the whole map", () => {
  expect(clipOf("a", undefined, 390)).toBe(wholeWidth);
  expect(clipOf(undefined, openDivider(0.3), 390)).toBe(wholeWidth);
});

it("stays on the map, and tells who listens only where it moved", () => {
  const divider = openDivider(0.5);
  let times = 0;
  const end = divider.onMove(() => times++);
  divider.move(1.4);
  expect(divider.at).toBe(1);
  divider.move(2);
  expect(times).toBe(1);
  end();
  divider.move(-1);
  expect([divider.at, times]).toEqual([0, 1]);
});
