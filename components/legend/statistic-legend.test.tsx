import { expect, it } from "vitest";
import { defaultUnits } from "#lib/units.ts";
import { de, en, fr } from "#test/all-words.ts";
import { renderInPage } from "#test/render.tsx";
import { StatisticLegend } from "./statistic-legend.tsx";

const legend = (props: Partial<Parameters<typeof StatisticLegend>[0]> = {}) => (
  <StatisticLegend
    layer="wind_speed_over_34kn_within_48h"
    theme="light"
    old={false}
    units={defaultUnits}
    members={31}
    {...props}
  />
);

it.each([
  [
    "the limit, the hours and the number of members",
    legend(),
    en,
    /Wind &gt; 34 kn within 48 h: % of 31 members</,
  ],
  ["a single member, and none that is known", legend({ members: 1 }), en, /% of 1 member</],
  [
    "no number of members that is not known",
    legend({ members: undefined }),
    en,
    />Wind &gt; 34 kn within 48 h</,
  ],
  [
    "the limit in the chosen unit",
    legend({ units: { ...defaultUnits, speed: "m/s" } }),
    en,
    /Wind &gt; 17\.5 m\/s within/,
  ],
  [
    "the steps of the shares, and that there is no colour below the first",
    legend(),
    en,
    /from 5% to 100% of the members, stronger for more; none below 5%(?=.*>5<)(?=.*>80<)/,
  ],
  [
    "limits of waves without needless decimals",
    legend({ layer: "sea_surface_wave_significant_height_over_2.5m" }),
    de,
    /Wellen &gt; 2,5 m: %/,
  ],
  [
    "the spread in its unit",
    legend({ layer: "wind_speed_spread" }),
    fr,
    /Vent : dispersion des membres.*Couleurs de 0 à 19 nœuds/,
  ],
])("has %s", (_what, component, words, expected) => {
  // The spaces of a language's typography do not matter here.
  expect(renderInPage(component, { words }).replaceAll("\u00a0", " ")).toMatch(expected);
});
