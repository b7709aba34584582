import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { aheadPoint, BASE, stormOf } from "#test/storms.ts";

const page = vi.hoisted(() => ({
  changeView: vi.fn(),
  map: { current: undefined as { fit(): void; userMoves(): number } | undefined },
}));
vi.mock("#components/view-state/view-context.tsx", () => ({
  useViewState: () => ({ current: () => ({ z: 2 }) }),
  useChangeView: () => page.changeView,
}));
vi.mock("#components/storms/storms-context.tsx", () => ({ useStormsState: () => ({ current: () => ({}) }) }));
vi.mock("./covered.ts", () => ({ coveredByPanel: () => ({ right: 0, bottom: 0 }) }));
vi.mock("./screen-context.tsx", () => ({
  useScreen: () => ({
    map: page.map,
    former: { current: undefined },
    weather: { current: () => ({ now: BASE }) },
  }),
}));

it("the map shows a storm with its cone, and opens at the storm if it is still loading", async () => {
  // Files share a worker, and an earlier one may have loaded the modules that are replaced here.
  vi.resetModules();
  const { useNavigation } = await import("./use-navigation.ts");
  const ways: ReturnType<typeof useNavigation>[] = [];
  const Reader = () => {
    ways.push(useNavigation());
    return null;
  };
  renderToStaticMarkup(<Reader />);
  const [{ showStorm }] = ways as [ReturnType<typeof useNavigation>];
  const entry = stormOf([0, 24].map((hour) => aheadPoint(hour, { latitude: 20, longitude: -50 })));
  await showStorm(entry);
  expect(page.changeView.mock.calls).toEqual([
    [{ c: { latitude: expect.closeTo(20), longitude: expect.closeTo(-50) }, z: 4 }],
  ]);
  const fit = vi.fn();
  page.map.current = { fit, userMoves: () => 0 };
  await showStorm(entry);
  expect(fit).toHaveBeenCalledTimes(1);
  expect(page.changeView).toHaveBeenCalledTimes(1);
});
