import { expect, it } from "vitest";
import { defaultOverlays, overlayNames } from "#components/view-state/overlays.ts";
import { defaultUnits } from "#lib/units.ts";
import { renderInPage } from "#test/render.tsx";
import { DifferenceLegend } from "./difference-legend.tsx";
import { Legend } from "./legend.tsx";
import { SymbolLegend } from "./symbol-legend.tsx";

const noIcon = () => {
  throw new Error("A server has no canvas");
};
const symbols = (props: Partial<Parameters<typeof SymbolLegend>[0]>) => (
  <SymbolLegend
    layer="wind"
    shown={defaultOverlays(8)}
    theme="light"
    storms={false}
    stormIcon={noIcon}
    ship={false}
    shipIcon={noIcon}
    {...props}
  />
);
const legend = (props: Partial<Parameters<typeof Legend>[0]> = {}) => (
  <Legend layer="wind" theme="light" old={false} units={defaultUnits} onUnits={() => {}} {...props} />
);
const difference = (props: Partial<Parameters<typeof DifferenceLegend>[0]>) => (
  <DifferenceLegend layer="wind" theme="light" units={defaultUnits} {...props} />
);

it.each([
  ["nothing while no symbols are drawn", symbols({ layer: "none", shown: ["names", "storms"] }), /^$/],
  [
    "the symbols that are drawn, and no others",
    symbols({}),
    /^(?!.*(Isobar|Track of a storm|chart datum)).*the shaft points to where it comes from/,
  ],
  [
    "arrows of waves, and isobars over them",
    symbols({ layer: "wave", shown: ["arrows", "isobars"] }),
    /^(?!.*Dashed).*they travel along it.*Isobar, every 4 hPa/,
  ],
  [
    "where there is no data",
    symbols({ layer: "wave", shown: [] }),
    /^(?!.*Without colour).*Hatched: no data\./,
  ],
  [
    "where there is none of what can be absent",
    symbols({ layer: "rain", shown: [] }),
    /Without colour: zero\./,
  ],
  [
    "storms where there are some, and the boxes of their winds where they are shown",
    symbols({ shown: overlayNames, storms: true }),
    /^(?!.*My ship)(?:.*<canvas){8}.*Box round the winds/,
  ],
  ["no boxes where they are not", symbols({ shown: ["storms"], storms: true }), /^(?!.*Box round the winds)/],
  [
    "tides with the unit of heights",
    symbols({ shown: [], tideUnit: "ft" }),
    /height above chart datum, ft\./,
  ],
  [
    "the ship and its way, alone too",
    symbols({ shown: [], ship: true }),
    /(?=.*<canvas.*<canvas).*My ship, under way by dead reckoning or at anchor.*Way of my ship in the next 24 hours/,
  ],
  ["the lines of wind over its colours", symbols({ shown: overlayNames }), /34 gale/],
  ["and over those of gusts", symbols({ layer: "gust", shown: overlayNames }), /34 gale/],
  ["and nowhere else", symbols({ layer: "wave", shown: overlayNames }), /^(?!.*34 gale)/],
  [
    "the colour scale for screen readers, with the units of the quantity",
    legend({ units: { ...defaultUnits, speed: "m/s" } }),
    /(?=.*aria-label="m\/s: units and symbols").*aria-label="Colours from 0\.0 to 40\.0 metres per second\. From 11\.3: strong\. From 17\.5: gale\. From 24\.7: storm\. From 32\.9: hurricane\."/,
  ],
  [
    "on paper its title and the names of the limits, with nothing to press",
    legend({ onUnits: undefined }),
    /^(?!.*<button).*Wind speed<span[^>]*>, kn<.*>strong<.*>hurricane</,
  ],
  [
    "a difference with its signs, and both ends in words",
    difference({ children: "symbols" }),
    /(?=.*less wind.*more wind)(?=.*>−10<.*>0<.*>\+10<).*aria-label="From −19, less wind, to \+19 knots, more wind; pale where A and B are equal\."/,
  ],
  [
    "a difference of temperatures in its unit, without the offset of the unit",
    difference({ layer: "temp", units: { ...defaultUnits, temperature: "F" }, children: "symbols" }),
    /(?=.*colder air.*warmer air).*aria-label="From −19, colder air, to \+19/,
  ],
  [
    "a difference on paper, with its title and nothing to press",
    difference({}),
    /^(?!.*<button).*Wind speed: B minus A<span[^>]*>, kn<.*less wind.*more wind/,
  ],
])("explains %s", (_, shown, html) => {
  expect(renderInPage(shown)).toMatch(html);
});

it("is grey like an old field, with the same numbers", () => {
  const [old, fresh] = [true, false].map((old) => renderInPage(legend({ old })));
  const saturations = (html = "") =>
    [...html.matchAll(/rgb\(([^)]*)\)/g)].map(([, rgb]) => {
      const channels = rgb!.match(/\d+/g)!.map(Number);
      return Math.max(...channels) - Math.min(...channels);
    });
  expect(saturations(old)).toHaveLength(65);
  expect(Math.max(...saturations(old))).toBeLessThan(Math.max(...saturations(fresh)) / 2);
  const [numbers, others] = [old, fresh].map((html) => html!.replaceAll(/rgb\([^)]*\)/g, ""));
  expect(numbers).toBe(others);
});
