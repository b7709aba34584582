import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { defaultOverlays, overlayNames } from "#components/view-state/overlays.ts";
import { WordsContext } from "#components/words/words-context.ts";
import { de } from "#lib/messages/generated/de.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { defaultUnits } from "#lib/units.ts";
import { Legend } from "./legend.tsx";
import { SymbolLegend } from "./symbol-legend.tsx";

const noIcon = () => {
  throw new Error("A server has no canvas");
};

const symbols = (props: Partial<Parameters<typeof SymbolLegend>[0]>) =>
  renderToStaticMarkup(
    <SymbolLegend
      layer="wind"
      shown={defaultOverlays}
      theme="light"
      storms={false}
      stormIcon={noIcon}
      ship={false}
      shipIcon={noIcon}
      {...props}
    />,
  );

it("is absent while no symbols are drawn", () => {
  expect(symbols({ layer: "none", shown: [] })).toBe("");
  expect(symbols({ layer: "none", shown: ["names", "storms"] })).toBe("");
});

it("explains the symbols that are drawn, and no others", () => {
  const wind = symbols({});
  expect(wind).toContain("the shaft points to where it comes from");
  expect(wind).not.toContain("Isobar");
  expect(wind).not.toContain("Track of a storm");
  const wave = symbols({ layer: "wave", shown: ["arrows", "isobars"] });
  expect(wave).toContain("they travel along it");
  expect(wave).toContain("Isobar, every 4 hPa");
  expect(wave).not.toContain("Dashed");
});

it("says where a layer has no data, and where there is none of what can be absent", () => {
  expect(symbols({ layer: "wave", shown: [] })).toContain("Hatched: no data.");
  expect(symbols({ layer: "wave", shown: [] })).not.toContain("Without colour");
  expect(symbols({ layer: "rain", shown: [] })).toContain("Without colour: zero.");
});

it("explains storms where there are some, and the boxes of their winds where they are shown", () => {
  const all = symbols({ shown: overlayNames, storms: true });
  expect(all.match(/<canvas/g)).toHaveLength(8);
  expect(all).toContain("Box round the winds");
  expect(symbols({ shown: ["storms"], storms: true })).not.toContain("Box round the winds");
});

it("explains tides and streams with the unit of heights where some are drawn", () => {
  expect(symbols({})).not.toContain("chart datum");
  expect(symbols({ shown: [], tideUnit: "ft" })).toContain("height above chart datum, ft.");
});

it("explains the ship and its way where one is drawn, alone too", () => {
  expect(symbols({ shown: overlayNames, storms: true })).not.toContain("My ship");
  const ship = symbols({ shown: [], ship: true });
  expect(ship.match(/<canvas/g)).toHaveLength(2);
  expect(ship).toContain("My ship, under way by dead reckoning or at anchor");
  expect(ship).toContain("Way of my ship in the next 24 hours");
});

it("names the colour scale for screen readers and offers the units of the quantity", () => {
  const wind = renderToStaticMarkup(
    <Legend
      layer="wind"
      theme="light"
      old={false}
      units={{ ...defaultUnits, speed: "m/s" }}
      onUnits={() => {}}
    />,
  );
  expect(wind).toContain(
    'aria-label="Colours from 0.0 to 40.0 metres per second. From 11.3: strong. From 17.5: gale. From 24.7: storm. From 32.9: hurricane."',
  );
  expect(wind).toContain('aria-label="m/s: units and symbols"');
});

it("is grey like an old field, with the same numbers", () => {
  const legend = (old: boolean) =>
    renderToStaticMarkup(
      <Legend layer="wind" theme="light" old={old} units={defaultUnits} onUnits={() => {}} />,
    );
  const colours = (html: string) => html.match(/rgb\([^)]*\)/g) ?? [];
  const saturation = (colour: string) => {
    const channels = colour.match(/\d+/g)!.map(Number);
    return Math.max(...channels) - Math.min(...channels);
  };
  const most = (html: string) => Math.max(...colours(html).map(saturation));
  const withoutColours = (html: string) => html.replaceAll(/rgb\([^)]*\)/g, "");
  expect(colours(legend(true))).toHaveLength(65);
  expect(most(legend(true))).toBeLessThan(most(legend(false)) / 2);
  expect(withoutColours(legend(true))).toBe(withoutColours(legend(false)));
});

it("on paper has its title and the names of the limits, and nothing to press", () => {
  const html = renderToStaticMarkup(<Legend layer="wind" theme="light" old={false} units={defaultUnits} />);
  expect(html).toMatch(/Wind speed<span[^>]*>, kn<.*>strong<.*>hurricane</);
  expect(html).not.toContain("<button");
});

it("explains the lines of wind speed over its colours, and nowhere else", () => {
  expect(symbols({ shown: overlayNames })).toContain("34 gale");
  expect(symbols({ layer: "gust", shown: overlayNames })).toContain("34 gale");
  expect(symbols({ layer: "wave", shown: overlayNames })).not.toContain("34 gale");
});

it("is in the language of the page, with its names of the limits, unit and decimal comma", () => {
  const legend = <Legend layer="wind" theme="light" old={false} units={defaultUnits} onUnits={() => {}} />;
  const html = renderToStaticMarkup(<WordsContext value={de}>{legend}</WordsContext>);
  expect(html).toContain(
    "Farben von 0 bis 78 Knoten. Ab 22: starker Wind. Ab 34: stürmischer Wind. Ab 48: schwerer Sturm. Ab 64: Orkan.",
  );
  expect(html).toContain("kn: Einheiten und Symbole");
  const waves = <Legend layer="wave" theme="light" old={false} units={defaultUnits} />;
  expect(renderToStaticMarkup(<WordsContext value={ja}>{waves}</WordsContext>)).toMatch(
    /波の有義波高<span[^>]*>（m）</,
  );
});
