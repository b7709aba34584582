import { expect, it } from "vitest";
import { renderInPage } from "#test/render.tsx";
import { MapWarnings } from "./map-region.tsx";

const old = { text: "Forecast is 14 h old (GFS 0.25°, 12Z).", grave: false };
const tooOld = { text: "Forecast is 30 h old (GFS 0.25°, 12Z).", grave: true };

it.each([
  [tooOld, undefined, "Offline.", /notice-bar grave.*30 h old.*Offline\./],
  [tooOld, "Too many requests.", undefined, /30 h old.*Too many requests\./],
  [old, "Too many requests.", "Offline.", /^Too many requests\.$/],
  [old, undefined, "Offline.", /^Offline\.$/],
  [old, undefined, undefined, /14 h old/],
  [undefined, undefined, undefined, /^$/],
])(
  "shows a forecast that is too old above one of the others, the age of a forecast last",
  (stale, limit, connection, text) => {
    expect(renderInPage(<MapWarnings limit={limit} connection={connection} stale={stale} />)).toMatch(text);
  },
);
