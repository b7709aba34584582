import { expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { utc } from "#components/view-state/civil.ts";
import { en } from "#lib/messages/generated/en.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { parseInstant } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { drawableRun, frameOf, steady } from "#test/map.ts";
import { renderInPage } from "#test/render.tsx";
import { ReadoutLine } from "./hover-readout.tsx";
import { BeyondNotice, MapNotice } from "./map-notice.tsx";
import { Provenance } from "./provenance.tsx";

const settled = {
  title: "Wind speed",
  loading: false,
  error: undefined,
  empty: false,
  awaited: false,
  outside: false,
  source: "gfs",
  model: null,
  onRetry: () => {},
  onBest: () => {},
};
const limited = new ServiceError("Too many requests.", 429, 23);

it.each([
  [{}, /^$/],
  [{ loading: true }, /role="status".*Loading wind speed…/],
  [
    { error: limited, loading: true },
    /^(?!.*Loading).*role="alert".*Too many requests\..*Next try in 23 s\..*Try again/,
  ],
  [
    { empty: true },
    /role="status".*The archive has no wind speed yet\..*ingest &lt;source&gt;.*FEEDS=standard npm start/,
  ],
  [
    { empty: true, awaited: true },
    /^(?!.*npm).*role="status".*No data yet: wind speed\. The first forecast is being fetched\..*href="\/status"/,
  ],
  [{ outside: true }, /The archive has no wind speed for this time\./],
  [{ empty: true, model: "gfs" }, /^(?!.*npm).*The model gfs has no wind speed\..*Best for each layer/],
  [{ outside: true, model: "gfs" }, /The model gfs has no wind speed for this time\..*Best for each layer/],
  [{ error: limited, model: "gfs" }, /Too many requests\..*Best for each layer/],
])("says what the map is loading or lacks, and what helps: %j", (state, text) => {
  expect(renderInPage(<MapNotice {...settled} {...state} />)).toMatch(text);
});

it.each([
  [undefined, /^$/],
  ["ahead", /role="status".*\b10 days\b/],
  ["past", /role="status".*\b\d+ years\b/],
] as const)(
  "a link to a time beyond what is answered (%s) is told how far the map reaches",
  (beyond, text) => {
    expect(renderInPage(<BeyondNotice beyond={beyond} />)).toMatch(text);
  },
);

const axis = { start: 0, step: 1, count: 3 };
const gusts = steady(frameOf({ wind_speed_of_gust: 20 }, { grid: { latitude: axis, longitude: axis } }));

it.each([
  [{}, /data-value="20".*01°00\.0′N 001°00\.0′E.*20(\.0)? m\/s/],
  [{ pair: undefined }, /no value/],
  [{ place: { latitude: 50, longitude: 1 } }, /no value/],
  // The plain map has no values.
  [{ layer: undefined }, /^(?!.*<strong).*01°00/],
])("gives position and value under the cursor, and says where there is none", (props, text) => {
  const units = { ...defaultUnits, speed: "m/s" as const };
  const place = { latitude: 1, longitude: 1 };
  const line = <ReadoutLine place={place} pair={gusts} layer="gust" units={units} {...props} />;
  expect(renderInPage(line)).toMatch(text);
});

it.each([
  // The text begins with the age and reach of the forecast, because a phone shows no more than that.
  ["Forecast", en, /^Wind: GFS, 6 h old, to T\+82 h · run Tue 15 Sep 06:00 UTC · valid Tue 15 /],
  ["Hindcast-3M", en, /^Wind: GFS · run Tue 15 Sep 06:00 UTC · /],
  ["Forecast", ja, /^Wind：GFS、6時間前、T\+82時間まで · 初期時刻 .*06:00 UTC · 対象時刻 /],
] as const)("names where the field comes from: %s", (dataset, words, text) => {
  const step = "2026-09-15T12:00:00Z";
  const now = parseInstant(step);
  const run = drawableRun({ dataset, reference_time: "2026-09-15T06:00:00Z" });
  const steps = { run, before: step, after: step, later: 0, time: now };
  const zone = { ...utc, words };
  const source = (
    <Provenance title="Wind" steps={steps} reach={82} fixed={false} time={now} now={now} zone={zone} />
  );
  expect(renderInPage(source, { words }).replaceAll(/<!-- -->|<[^>]+>/g, "")).toMatch(text);
});
