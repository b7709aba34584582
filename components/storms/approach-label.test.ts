import { expect, it } from "vitest";
import { approachAnchor } from "./approach-label.ts";

it("the label of a closest approach stands away from its line, and within what nothing covers", () => {
  const room = { width: 800, height: 600 };
  const at = (x: number, y: number, to: [number, number]) =>
    approachAnchor({ x, y }, { x: to[0], y: to[1] }, room);
  // The label lies above if the storm is below, and below if the storm is above.
  expect(at(400, 300, [500, 500])).toBe("bottom");
  expect(at(400, 300, [500, 100])).toBe("top");
  // At the left and at the right edge, which may be that of a panel.
  expect(at(20, 300, [500, 500])).toBe("bottom-left");
  expect(at(780, 300, [500, 500])).toBe("bottom-right");
  // There is too little space at the top for the free side, so the label goes beside the line, or where the
  // window has space.
  expect(at(400, 30, [500, 500])).toBe("top-right");
  expect(at(400, 30, [300, 500])).toBe("top-left");
  expect(at(100, 30, [500, 500])).toBe("top-left");
  expect(at(100, 90, [500, 500])).toBe("left");
  expect(at(400, 580, [500, 100])).toBe("bottom-right");
});
