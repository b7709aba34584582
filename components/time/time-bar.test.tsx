import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { de } from "#lib/messages/generated/de.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { renderInPage } from "#test/render.tsx";
import { regionalZone } from "#test/zones.ts";
import { dayMarks, TimeBar } from "./time-bar.tsx";

const HOUR = 3600;
const now = Date.UTC(2026, 0, 1) / 1000;
const instants = [0, 3, 6].map((hours) => now + hours * HOUR);
const props = {
  runTime: now,
  dataset: "Forecast",
  staticLayer: undefined,
  playing: false,
  onPlay: () => undefined,
  onPick: () => undefined,
};
const disabled = (html: string) =>
  [...html.matchAll(/<button[^>]*aria-label="([^"]*)"[^>]*disabled=""/g)].map(([, name]) => name);

it("keeps its place, without a control, until the time is known and while nothing can be shown", () => {
  const place = '<div class="surface time-bar"></div>';
  expect(renderInPage(<TimeBar {...props} />, { clock: { now, instants } })).toBe(place);
  expect(renderInPage(<TimeBar {...props} />, { clock: { now, time: now } })).toBe(place);
});

it("shows the time with its lead time, dataset and distance from now", () => {
  const html = renderInPage(<TimeBar {...props} />, { clock: { now, time: instants[1], instants } });
  expect(html).toContain("Thu 1 Jan 2026 03:00 UTC (T+3 h)");
  expect(html).toContain("Forecast · in 3 h");
  const ends = `min="${now}" max="${now + 6 * HOUR}" step="any"`;
  expect(html).toContain(ends);
  expect(html).toMatch(new RegExp(`<input type="range"[^>]*value="${now + 3 * HOUR}"`));
  expect(disabled(html)).toEqual([]);
});

it("writes times in the clock of the link", () => {
  const page = { clock: { now, time: now, instants }, search: "tz=ship&c=30,-45" };
  expect(renderInPage(<TimeBar {...props} />, page)).toContain("Wed 31 Dec 2025 21:00 UTC−3 (T+0 h)");
});

it.each([
  [0, ["Back one step"]],
  [2, ["Play", "Forward one step"]],
])("goes no further than the ends of the archive (step %i)", (index, names) => {
  const html = renderInPage(<TimeBar {...props} />, { clock: { now, time: instants[index], instants } });
  expect(disabled(html)).toEqual(names);
});

it("states that a static layer does not change", () => {
  const bar = <TimeBar {...props} runTime={undefined} staticLayer="Depth" />;
  expect(renderInPage(bar, { clock: { now, time: now, instants } })).toContain(
    "Depth does not change with time · now",
  );
});

it("tells that the bar ends, where forecasts do", () => {
  const at = (index: number) =>
    renderInPage(<TimeBar {...props} />, { clock: { now, time: instants[index], instants } });
  expect(at(2)).toContain("Forecast · in 6 h · last time");
  expect(at(1)).not.toContain("last time");
});

it("states what the map still shows while it is of another time", () => {
  const bar = <TimeBar {...props} oldTime={now} />;
  const html = renderInPage(bar, { clock: { now, time: instants[1], instants } });
  expect(html).toContain("Thu 1 Jan 2026 03:00 UTC (T+3 h)");
  expect(html).toContain("still shows Thu 1 Jan 00:00");
  expect(html).not.toContain("Forecast · in 3 h");
});

it("cannot be moved over a single instant", () => {
  const html = renderInPage(<TimeBar {...props} />, { clock: { now, time: now, instants: [now] } });
  expect(html).toMatch(/<input type="range"[^>]*disabled=""/);
});

it("names the time of the picture while it plays, not of the one that is on its way", () => {
  const clock = { now, time: instants[2], drawn: instants[1], instants };
  const html = renderInPage(<TimeBar {...props} playing />, { clock });
  expect(html).toContain("Thu 1 Jan 2026 03:00 UTC (T+3 h)");
  expect(html).not.toContain("06:00");
  expect(renderInPage(<TimeBar {...props} />, { clock })).toContain("Thu 1 Jan 2026 06:00 UTC");
});

it("labels days by the chosen clock, and tells the parts of the bar apart", () => {
  const window = { from: now - 48 * HOUR, to: now + 48 * HOUR, isPast: false };
  const segments = [
    { from: window.from, to: now - 24 * HOUR, kind: "gap" as const },
    { from: now - 24 * HOUR, to: now, kind: "analysis" as const },
    { from: now, to: window.to, kind: "forecast" as const },
  ];
  const html = renderInPage(<TimeBar {...props} />, {
    clock: { now, time: now, instants, window, segments },
  });
  expect([...html.matchAll(/<small>([^<]*)</g)].map(([, name]) => name)).toEqual([
    "Tue 30",
    "Wed 31",
    "Thu 1",
    "Fri 2",
  ]);
  const parts = [...html.matchAll(/data-kind="(\w+)" style="left:([\d.]+)%;width:([\d.]+)%"/g)];
  expect(parts.map(([, ...part]) => part)).toEqual([
    ["gap", "0", "25"],
    ["analysis", "25", "25"],
    ["forecast", "50", "50"],
  ]);
  expect(html).toContain("<b>run</b>");
});

it("shows a window of the past with ways out of it", () => {
  const window = { from: now - 25 * 24 * HOUR, to: now - 15 * 24 * HOUR, isPast: true };
  const time = now - 20 * 24 * HOUR;
  const html = renderInPage(<TimeBar {...props} />, { clock: { now, time, instants: [time], window } });
  expect(html).toContain("Back to the forecast");
  expect(html).toContain('aria-label="Ten days earlier"');
  expect(html).toContain('aria-label="Ten days later"');
  expect(html).not.toContain(">Now<");
  // Nothing is in the archive there: the way back is still offered.
  const bare = renderInPage(<TimeBar {...props} />, { clock: { now, time, instants: [], window } });
  expect(bare).toContain("Back to the forecast");
});

it("is written in the language of the page", () => {
  const window = { from: now - 48 * HOUR, to: now + 48 * HOUR, isPast: false };
  const clock = { now, time: instants[2], instants, window };
  const german = renderInPage(<TimeBar {...props} />, { clock, words: de });
  expect(german).toContain("Do 1. Jan. 2026 06:00 UTC (T+6 h)");
  expect(german).toContain("Vorhersage · in 6 h · letzter Zeitpunkt");
  expect(german).toContain("<small>Do 1.</small>");
  const japanese = renderInPage(<TimeBar {...props} oldTime={now} />, { clock, words: ja });
  expect(japanese).toContain("2026年1月1日(木) 06:00 UTC (T+6 h)");
  expect(japanese).toContain("表示はまだ 1月1日(木) 00:00");
  expect(japanese).toContain("<small>1(木)</small>");
});

const marks = (from: string, to: string, zone = utc) =>
  dayMarks({ from: parseInstant(from), to: parseInstant(to) }, zone).map((mark) => [
    mark.date.day,
    formatInstant(mark.from),
    (mark.to - mark.from) / HOUR_S,
    mark.isNamed,
  ]);

it("divides the bar into days, names those that are mostly on it, and has none of a single instant", () => {
  expect(marks("2025-12-30T20:00:00Z", "2026-01-01T18:00:00Z")).toEqual([
    [30, "2025-12-30T20:00:00Z", 4, false],
    [31, "2025-12-31T00:00:00Z", 24, true],
    [1, "2026-01-01T00:00:00Z", 18, true],
  ]);
  expect(marks("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z")).toEqual([]);
});

it("begins days by the chosen clock: half hours, days of 23 and 25 hours", () => {
  expect(marks("2026-02-28T00:00:00Z", "2026-03-01T18:30:00Z", regionalZone("Asia/Kolkata"))).toEqual([
    [28, "2026-02-28T00:00:00Z", 18.5, true],
    [1, "2026-02-28T18:30:00Z", 24, true],
  ]);
  const berlin = regionalZone("Europe/Berlin");
  expect(marks("2026-03-28T23:00:00Z", "2026-03-30T22:00:00Z", berlin).map(([, , hours]) => hours)).toEqual([
    23, 24,
  ]);
  expect(marks("2026-10-24T22:00:00Z", "2026-10-26T23:00:00Z", berlin).map(([, , hours]) => hours)).toEqual([
    25, 24,
  ]);
});
