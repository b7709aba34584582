import { expect, it } from "vitest";
import { seeded } from "#test/seeded.ts";
import { labelPlace } from "./approach-label.ts";

/** A closest approach at a spot to a storm at another, which comes from a third. */
const drawing = ([x, y]: number[], [toX, toY]: number[], [fromX, fromY]: number[]) => ({
  vessel: { x: x!, y: y! },
  centre: { x: toX!, y: toY! },
  track: [
    { x: fromX!, y: fromY! },
    { x: toX!, y: toY! },
  ],
});

it("the label of a closest approach stands away from its line, and within what nothing covers", () => {
  const room = { width: 800, height: 600 };
  const at = (x: number, y: number, to: [number, number]) =>
    labelPlace(drawing([x, y], to, [790, 590]), room, 118);
  // The label lies above if the storm is below, and below if the storm is above.
  expect(at(400, 300, [500, 500])).toEqual({ anchor: "bottom", label: "label" });
  expect(at(400, 300, [500, 100])).toEqual({ anchor: "top", label: "label" });
  // At the left and at the right edge, which may be that of a panel.
  expect(at(20, 300, [500, 500]).anchor).toBe("bottom-left");
  expect(at(780, 300, [500, 500]).anchor).toBe("bottom-right");
  // The upper edge has chips.
  expect(at(400, 60, [500, 500])).toEqual({ anchor: "top-right", label: "label" });
});

it("the label is short where a long one would lie over its line, or where there is little room", () => {
  // The vessel is in the corner, and the storm comes up to it from below on the right.
  const corner = drawing([183, 70], [350, 215], [850, 670]);
  expect(labelPlace(corner, { width: 1080, height: 800 }, 118)).toMatchObject({ label: "short" });
  const phone = { width: 390, height: 330 };
  expect(labelPlace(drawing([200, 200], [300, 300], [390, 290]), phone, 118).label).toBe("short");
  // Just below the chips of a phone, upright and on its side.
  expect(labelPlace(drawing([66, 41], [126, 93], [390, 290]), phone, 118)).toEqual({
    anchor: "left",
    label: "short",
  });
  const onSide = { width: 484, height: 294 };
  expect(labelPlace(drawing([127, 36], [180, 83], [430, 260]), onSide, 118)).toEqual({
    anchor: "top-right",
    label: "short",
  });
});

it("the label lies within the room and over less than a tenth of its line and of the track, wherever there is room for that", () => {
  const random = seeded(7);
  const room = { width: 390, height: 330 };
  const spot = () => [40 + 310 * random(), 70 + 240 * random()];
  let free = 0;
  for (let index = 0; index < 500; index++) {
    const drawn = drawing(spot(), spot(), spot());
    const { anchor } = labelPlace(drawn, room, 150);
    const { x, y } = drawn.vessel;
    // The middle of a label of 150 by 18 pixels.
    const gap = anchor.includes("-") ? 6.8 : 9.6;
    const middle = {
      x: x + (anchor.endsWith("left") ? gap + 75 : anchor.endsWith("right") ? -gap - 75 : 0),
      y: y + (anchor.startsWith("top") ? gap + 9 : anchor.startsWith("bottom") ? -gap - 9 : 0),
    };
    expect([index, middle.x >= 75, middle.x <= 315, middle.y >= 39, middle.y <= 321]).toEqual([
      index,
      true,
      true,
      true,
      true,
    ]);
    // Points along the line and the track that the label covers.
    const covered = [drawn.vessel, drawn.track[0]!].flatMap((from) =>
      Array.from({ length: 101 }, (_, step) => ({
        x: from.x + ((drawn.centre.x - from.x) * step) / 100,
        y: from.y + ((drawn.centre.y - from.y) * step) / 100,
      })).filter((point) => Math.abs(point.x - middle.x) < 70 && Math.abs(point.y - middle.y) < 8),
    );
    if (covered.length < 20) free++;
  }
  expect(free).toBeGreaterThan(480);
});
