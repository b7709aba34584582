import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { mapColour, themes } from "#components/view-state/map-colours.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { renderInPage } from "#test/render.tsx";
import { regionalZone } from "#test/zones.ts";
import { coloursAlong, dayMarks, TimeBar } from "./time-bar.tsx";

type Page = NonNullable<Parameters<typeof renderInPage>[1]>;

const now = Date.UTC(2026, 0, 1) / 1000;
const instants = [0, 3, 6].map((hours) => now + hours * HOUR_S);
const around = { from: now - 2 * DAY_S, to: now + 2 * DAY_S, isPast: false };
const past = { from: now - 25 * DAY_S, to: now - 15 * DAY_S, isPast: true };

/** The bar at the first instant. */
function bar(
  clock: Page["clock"],
  props: Partial<Parameters<typeof TimeBar>[0]> = {},
  page: Page = {},
): string {
  return renderInPage(
    <TimeBar
      runTime={now}
      dataset="Forecast"
      staticLayer={undefined}
      playing={false}
      onPlay={() => undefined}
      onPick={() => undefined}
      {...props}
    />,
    { clock: { now, time: now, instants, ...clock }, ...page },
  );
}
const at = (index: number) => ({ time: instants[index] });
const disabled = (html: string) =>
  [...html.matchAll(/<button[^>]*aria-label="([^"]*)"[^>]*disabled=""/g)].map(([, name]) => name);

it.each([
  ["nothing until the time is known", bar({ time: undefined }), /^<div class="surface time-bar"><\/div>$/],
  ["nothing while nothing can be shown", bar({ instants: [] }), /^<div class="surface time-bar"><\/div>$/],
  [
    "the time with its lead time, dataset and distance from now",
    bar(at(1)),
    /^(?!.*last time).*Thu 1 Jan 2026 03:00 UTC \(T\+3 h\).*Forecast · in 3 h/,
  ],
  [
    "times in the clock of the link",
    bar({}, {}, { search: "tz=ship&c=30,-45" }),
    /Wed 31 Dec 2025 21:00 UTC−3 \(T\+0 h\)/,
  ],
  [
    "that a static layer does not change",
    bar({}, { runTime: undefined, staticLayer: "Depth" }),
    /Depth does not change with time · now/,
  ],
  ["that the bar ends, where forecasts do", bar(at(2)), /Forecast · in 6 h · last time/],
  [
    "what the map still shows while it is of another time",
    bar(at(1), { oldTime: now }),
    /^(?!.*Forecast · in 3 h).*Thu 1 Jan 2026 03:00 UTC \(T\+3 h\).*still shows Thu 1 Jan 00:00/,
  ],
  [
    "the time of the picture while it plays, not of the one that is on its way",
    bar({ ...at(2), drawn: instants[1] }, { playing: true }),
    /^(?!.*06:00).*Thu 1 Jan 2026 03:00 UTC \(T\+3 h\)/,
  ],
  ["the chosen time while it does not", bar({ ...at(2), drawn: instants[1] }), /Thu 1 Jan 2026 06:00 UTC/],
  [
    "a window of the past with ways out of it",
    bar({ time: past.from, instants: [past.from], window: past }),
    /^(?!.*>Now<)(?=.*aria-label="Ten days earlier")(?=.*aria-label="Ten days later").*Back to the forecast/,
  ],
  [
    "the way back from where nothing is",
    bar({ time: past.from, instants: [], window: past }),
    /Back to the forecast/,
  ],
])("shows %s", (_, html, text) => {
  expect(html).toMatch(text);
});

it("goes no further than the ends of the archive, and cannot be moved over a single instant", () => {
  expect(bar(at(1))).toContain(`min="${now}" max="${now + 6 * HOUR_S}" step="any"`);
  expect(bar(at(1))).toMatch(new RegExp(`<input type="range"[^>]*value="${now + 3 * HOUR_S}"`));
  const names = [0, 1, 2].map((index) => disabled(bar(at(index))));
  expect(names).toEqual([["Back one step"], [], ["Play", "Forward one step"]]);
  expect(bar({ instants: [now] })).toMatch(/<input type="range"[^>]*disabled=""/);
});

it("labels days by the chosen clock, and tells the parts of the bar apart", () => {
  const html = bar({
    window: around,
    segments: [
      { from: around.from, to: now - DAY_S, kind: "gap" },
      { from: now - DAY_S, to: now, kind: "analysis" },
      { from: now, to: around.to, kind: "forecast" },
    ],
  });
  const names = [...html.matchAll(/<small>([^<]*)</g)].map(([, name]) => name);
  expect(names).toEqual(["Tue 30", "Wed 31", "Thu 1", "Fri 2"]);
  const parts = [...html.matchAll(/data-kind="(\w+)" style="left:([\d.]+)%;width:([\d.]+)%"/g)];
  expect(parts.map(([, ...part]) => part.join(" "))).toEqual([
    "gap 0 25",
    "analysis 25 25",
    "forecast 50 50",
  ]);
  expect(html).toContain("<b>run</b>");
});

const berlin = regionalZone("Europe/Berlin");
it.each([
  // Days of which most is on the bar are named.
  [
    "2025-12-30T20:00",
    "2026-01-01T18:00",
    utc,
    ["30 2025-12-30T20 4", "31 2025-12-31T00 24 named", "1 2026-01-01T00 18 named"],
  ],
  ["2026-01-01T00:00", "2026-01-01T00:00", utc, []],
  [
    "2026-02-28T00:00",
    "2026-03-01T18:30",
    regionalZone("Asia/Kolkata"),
    ["28 2026-02-28T00 18.5 named", "1 2026-02-28T18 24 named"],
  ],
  [
    "2026-03-28T23:00",
    "2026-03-30T22:00",
    berlin,
    ["29 2026-03-28T23 23 named", "30 2026-03-29T22 24 named"],
  ],
  [
    "2026-10-24T22:00",
    "2026-10-26T23:00",
    berlin,
    ["25 2026-10-24T22 25 named", "26 2026-10-25T23 24 named"],
  ],
])("divides the bar from %s to %s into the days of the chosen clock", (from, to, zone, days) => {
  const marks = dayMarks({ from: parseInstant(`${from}:00Z`), to: parseInstant(`${to}:00Z`) }, zone);
  const texts = marks.map((mark) => {
    const hours = (mark.to - mark.from) / HOUR_S;
    return `${mark.date.day} ${formatInstant(mark.from).slice(0, 13)} ${hours}${mark.isNamed ? " named" : ""}`;
  });
  expect(texts).toEqual(days);
});

it.each(themes)("has the colours of the map for the hours at the panel's place in the theme %s", (theme) => {
  const hours = Array.from({ length: 25 }, (_, hour) => ({
    time: now + hour * HOUR_S,
    conditions: { Winds_10m_Intensity: hour },
  }));
  const forecast = { from: now, to: now + DAY_S, kind: "forecast" } as const;
  const colours = (layer: string, segment: Parameters<typeof coloursAlong>[0] = forecast) =>
    coloursAlong(segment, hours, layer, theme);
  const stops = [0, 3, 6, 9, 12, 15, 18, 21, 24].map(
    (hour) => `${mapColour("wind", hour, theme)} ${((100 * hour) / 24).toFixed(1)}%`,
  );
  expect(colours("wind")).toBe(`linear-gradient(to right, ${stops.join(", ")})`);
  // Colours go no further than the values: the series of an earlier time ends before the forecast, and may lack hours of it.
  const clear = (image: string | undefined) => image?.match(/(?<=transparent )[^%]+/g);
  expect(clear(colours("wind", { ...forecast, to: now + 4 * DAY_S }))).toEqual(["25.0"]);
  const some = hours.filter(({ time }) => Math.abs(time - now - DAY_S / 2) > 4 * HOUR_S);
  const gaps = clear(coloursAlong({ ...forecast, from: now - DAY_S }, some, "wind", theme));
  expect(gaps).toEqual(["0.0", "50.0", "62.5", "87.5"]);
  expect([colours("none"), colours("wave")]).toEqual([undefined, undefined]);
  for (const kind of ["analysis", "hindcast", "gap", "unsaved"] as const)
    expect(colours("wind", { ...forecast, kind })).toBeUndefined();
});
