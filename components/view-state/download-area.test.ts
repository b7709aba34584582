import { expect, it } from "vitest";
import { drawBox, giveCorner, giveDrawnBox, takeDrawnBoxes } from "./download-area.ts";

const box = { south: 40, north: 50, west: -20, east: -10 };

it("a box goes to the form that asked for it, and to the one before when a later form has left", () => {
  const given: string[] = [];
  const leaveFirst = takeDrawnBoxes(() => given.push("first"));
  drawBox();
  giveCorner({ latitude: 40, longitude: -20 });
  const leaveSecond = takeDrawnBoxes(() => given.push("second"));
  // The first form's corner is dropped, so one more corner makes no box.
  expect(giveCorner({ latitude: 50, longitude: -10 })).toBe(false);
  giveDrawnBox(box);
  leaveSecond();
  giveDrawnBox(box);
  leaveFirst();
  giveDrawnBox(box);
  expect(given).toEqual(["second", "first"]);
});
