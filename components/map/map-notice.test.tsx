import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { utc } from "#components/view-state/civil.ts";
import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import { en } from "#lib/messages/generated/en.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { parseInstant } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { frameOf } from "#test/map.ts";
import { renderInPage } from "#test/render.tsx";
import { ReadoutLine } from "./hover-readout.tsx";
import { BeyondNotice, LinesNotice, MapNotice } from "./map-notice.tsx";
import { Provenance } from "./provenance.tsx";

describe("the notice of the map", () => {
  const settled = {
    title: "Wind speed",
    loading: false,
    error: undefined,
    empty: false,
    awaited: false,
    outside: false,
    source: "gfs",
    onRetry: () => {},
  };
  const notice = (state: Partial<Parameters<typeof MapNotice>[0]>) =>
    renderToStaticMarkup(<MapNotice {...settled} {...state} />);

  it("is absent when the field is drawn", () => {
    expect(notice({})).toBe("");
  });

  it("says what is loading", () => {
    expect(notice({ loading: true })).toMatch(/role="status".*Loading wind speed…/);
  });

  it("says what failed, when to retry, and offers it", () => {
    const failed = notice({ error: new ServiceError("Too many requests.", 429, 23), loading: true });
    expect(failed).toMatch(/role="alert".*Too many requests\..*Next try in 23 s\..*Try again/);
    expect(failed).not.toContain("Loading");
  });

  it("says how to fill an empty archive, and what the archive does not cover", () => {
    expect(notice({ empty: true })).toMatch(
      /role="status".*The archive has no wind speed yet\..*ingest gfs.*FEEDS=standard npm start/,
    );
    const awaited = notice({ empty: true, awaited: true });
    expect(awaited).toMatch(
      /role="status".*No data yet: wind speed\. The first forecast is being fetched\..*href="\/status"/,
    );
    expect(awaited).not.toContain("npm");
    expect(notice({ outside: true })).toContain("The archive has no wind speed for this time.");
  });
});

it("a link to a time beyond what is answered is told how far the map reaches", () => {
  const notice = (beyond: "ahead" | "past" | undefined) =>
    renderToStaticMarkup(<BeyondNotice beyond={beyond} />);
  expect(notice(undefined)).toBe("");
  expect(notice("ahead")).toMatch(/role="status".*\b10 days\b/);
  expect(notice("past")).toMatch(/role="status".*\b\d+ years\b/);
});

describe("the notice of lines over the layer", () => {
  const line = {
    variable: "pressure" as const,
    pair: undefined,
    run: undefined,
    time: undefined,
    settled: true,
  };
  const notice = (absent: "outside" | "error" | undefined) =>
    renderToStaticMarkup(<LinesNotice lines={[{ ...line, absent }]} onRetry={() => {}} />);

  it("is absent while lines are loading or drawn", () => {
    expect(notice(undefined)).toBe("");
  });

  it("says which lines are missing, and offers a retry where that helps", () => {
    expect(notice("outside")).toContain("Isobars: the archive has none for this time.");
    expect(notice("outside")).not.toContain("Try again");
    expect(notice("error")).toMatch(/Isobars: the server could not answer\..*Try again/);
  });
});

describe("the readout", () => {
  const axis = { start: 0, step: 1, count: 3 };
  const frame = frameOf({ latitude: axis, longitude: axis });
  frame.values.fill(20);
  const pair = { before: frame, after: frame, later: 0 };
  const readout = (props: Partial<Parameters<typeof ReadoutLine>[0]>) =>
    renderToStaticMarkup(
      <ReadoutLine
        place={{ latitude: 1, longitude: 1 }}
        pair={pair}
        layer="gust"
        units={{ ...defaultUnits, speed: "m/s" }}
        {...props}
      />,
    );

  it("gives position and value under the cursor", () => {
    expect(readout({})).toMatch(/data-value="20".*01°00\.0′N 001°00\.0′E.*20(\.0)? m\/s/);
  });

  it("says that there is no value before a field is read and beyond it", () => {
    expect(readout({ pair: undefined })).toContain("no value");
    expect(readout({ place: { latitude: 50, longitude: 1 } })).toContain("no value");
  });

  it("gives the position alone on the plain map", () => {
    expect(readout({ layer: undefined })).not.toContain("<strong");
  });
});

const run = {
  dataset: "Forecast",
  model: "GFS 0.25°",
  reference_time: "2026-09-15T06:00:00Z",
} as DrawableRun;
const now = parseInstant("2026-09-15T12:00:00Z");
const shown = (of: DrawableRun, words = en) => {
  const steps = {
    run: of,
    before: "2026-09-15T12:00:00Z",
    after: "2026-09-15T12:00:00Z",
    later: 0,
    time: now,
  };
  const html = renderInPage(
    <Provenance
      title="Wind"
      steps={steps}
      reach={82}
      fixed={false}
      time={now}
      now={now}
      zone={{ ...utc, words }}
    />,
    { words },
  );
  return html.replaceAll(/<!-- -->|<[^>]+>/g, "");
};

it("begins with how old the forecast is and how far it reaches so far: a phone shows no more", () => {
  expect(shown(run)).toMatch(
    /^Wind: GFS 0\.25°, 6 h old, to T\+82 h · run Tue 15 Sep 06:00 UTC · valid Tue 15 /,
  );
});

it("a hindcast has no age that matters", () => {
  expect(shown({ ...run, dataset: "Hindcast-3M" })).toMatch(
    /^Wind: GFS 0\.25° · run Tue 15 Sep 06:00 UTC · /,
  );
});

it("has the order of a language", () => {
  expect(shown(run, ja)).toMatch(
    /^Wind：GFS 0\.25°、6時間前、T\+82時間まで · 初期時刻 .*06:00 UTC · 対象時刻 /,
  );
});
