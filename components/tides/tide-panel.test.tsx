import { expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { type Prediction, spanAround, tideQuery } from "#components/api-client/tide-queries.ts";
import { parseInstant } from "#lib/time.ts";
import { Catalog } from "#server/tides/catalog.ts";
import { predictStream } from "#server/tides/stream.ts";
import { predictTide } from "#server/tides/tide.ts";
import { failedCache, filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { TidePanel, TidePeek } from "./tide-panel.tsx";

const catalog = new Catalog(false);
const time = parseInstant("2026-09-14T07:00:00Z");

const BREST = "ticon:brest-822-fra-uhslc_fd";

/** The real prediction of a station, as the panel asks for it. */
function predicted(id: string, at = time): Prediction {
  const station = catalog.station(id);
  const predict = station.kind === "tide" ? predictTide : predictStream;
  return predict(catalog, station, { days: 2, now: at, ...spanAround(at) });
}

function rendered(id: string, { search = "", at = time } = {}): string {
  const cache = filledCache(tideQuery(TEST_KEY, id, spanAround(at)), predicted(id, at));
  const page = { clock: { now: at, time: at }, search: `tide=${id}${search}`, cache };
  return renderInPage(
    <>
      <TidePeek />
      <TidePanel onClose={() => undefined} onCentre={() => undefined} />
    </>,
    page,
  );
}

it("says whether the water rises or falls, how high it is above which datum, and when high and low water come", () => {
  const html = rendered(BREST);
  expect(html).toMatch(/Falling, \d\.\d m/);
  expect(html).toMatch(/High water.*Mon 14 Sep \d\d:\d\d \d\.\d m/);
  expect(html).toContain("Above LAT");
});

it("says that a link names no station, and how to leave it", async () => {
  const cache = await failedCache(
    tideQuery(TEST_KEY, "noaa:1", spanAround(time)),
    new ServiceError("There is no such station", 404),
  );
  const html = renderInPage(<TidePanel onClose={() => undefined} onCentre={() => undefined} />, {
    clock: { now: time, time },
    search: "tide=noaa:1",
    cache,
  });
  expect(html).toContain("There is no station noaa:1.");
  expect(html).toContain('aria-label="Close the station"');
});
