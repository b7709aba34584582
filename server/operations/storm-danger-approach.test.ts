import type { StormEntry } from "@open-metocean/storms/schema";
import { beforeEach, describe, expect, it } from "vitest";
import { stormApproachResponse } from "#lib/contract/storm-approach.ts";
import { stormDanger } from "#lib/contract/storms.ts";
import type { Reply } from "#server/http/api-request.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { ask, connectContext } from "#test/send.ts";
import { aheadPoint, allRound, BASE, stormOf } from "#test/storms.ts";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const track = (longitude: number) =>
  [0, 24, 48, 72].map((hour) => aheadPoint(hour, at(20 + hour / 24, longitude), allRound(200, 90, null)));
const near = stormOf(track(-180), { id: "WP012026" });
const far = stormOf(track(150), { id: "WP022026" });
const silent = { ...stormOf(track(160)), id: "WP902026", tracks: { observed: far.tracks.observed } };

function open(entries: StormEntry[] | undefined, now = BASE): void {
  const published = () => entries && { entries, synthetic: true, newestTextAt: BASE - 90 };
  const weather = { now: () => now };
  connectContext(testContext({ ...testRequestContext(), weather, storms: { published } }));
}
beforeEach(() => open([far, near, silent]));

const send = (method: "GET" | "POST", target: string, body?: object) => ask(method, target, { body });

const parsed = (reply: Reply) => JSON.parse(String(reply.body));

describe("GET /storms/{id}/danger", () => {
  const get = (id: string, query: string) => send("GET", `/storms/${id}/danger?${query}`);

  it("answers in the published form, by the classic rule by default, marked as synthetic", async () => {
    const reply = await get("WP012026", "provider=jtwc");
    expect([reply.status, reply.headers["x-data-provenance"]]).toEqual([200, "synthetic"]);
    const danger = stormDanger.parse(parsed(reply));
    expect(danger).toMatchObject({ id: "WP012026", method: "classic", threshold_kt: 34, issued_at: BASE });
    expect(danger.circles.map(({ r_km }) => r_km)).toEqual([200, 385.2, 570.4, 755.6]);
    const season = stormDanger.parse(parsed(await get("WP012026", "provider=jtwc&method=season")));
    expect(season.circles.map(({ r_km }) => r_km)).toEqual([229.6, 248, 296, 344]);
  });

  it("names the error: an unknown storm, one without forecast, a feed never received, an invalid query", async () => {
    expect((await get("WP992026", "provider=jtwc")).status).toBe(404);
    const none = await get("WP902026", "provider=jtwc");
    expect([none.status, parsed(none).detail]).toEqual([404, expect.stringContaining("no forecast")]);
    expect(parsed(await get("WP012026", "provider=nhc&method=x")).detail).toMatchObject([
      { loc: ["query", "provider"] },
      { loc: ["query", "method"] },
    ]);
    open(undefined);
    expect((await get("WP012026", "provider=jtwc")).status).toBe(503);
  });
});

describe("POST /storms/approach", () => {
  const approach = (body: object) => send("POST", "/storms/approach", body);
  const vessel = { latitude: 20, longitude: 176, course_deg: 90, speed_kt: 10 };

  it("lists each storm with a forecast, the least clearance first, in the published form", async () => {
    const reply = await approach({ provider: "jtwc", vessel });
    expect([reply.status, reply.headers["x-data-provenance"]]).toEqual([200, "synthetic"]);
    const { results, notice } = stormApproachResponse.parse(parsed(reply));
    expect(results.map(({ id }) => id)).toEqual(["WP012026", "WP022026"]);
    expect(notice).toBe("Not for navigation");
    const [first] = results;
    expect(first!.wind_average_minutes).toBe(1);
    expect(first!.now).toEqual({
      distance_km: expect.closeTo(417.9, 0),
      bearing_deg: expect.closeTo(89.3, 0),
    });
    expect(first!.closest.distance_km).toBeLessThan(300);
    expect(first!.arrivals[0]).toMatchObject({ threshold_kt: 34, outlook: "expected" });
    expect(first!.arrivals[2]).toMatchObject({ threshold_kt: 64, outlook: "not forecast" });
  });

  it("tells the base time of each forecast, whether it is stale, and the age of the newest text", async () => {
    const base = BASE - 13 * 3600;
    const old = { ...far.tracks.forecast!, issued_at: base, is_stale: true };
    open([near, { ...far, tracks: { ...far.tracks, forecast: old } }], BASE + 30);
    const reply = await approach({ provider: "jtwc", vessel });
    const { results } = stormApproachResponse.parse(parsed(reply));
    expect(results.map(({ id, issued_at, is_stale }) => [id, issued_at, is_stale])).toEqual([
      ["WP012026", BASE, false],
      ["WP022026", base, true],
    ]);
    expect(reply.headers["x-data-age"]).toBe("120");
  });

  it("names every storm for which nothing can be worked out: no result is not no storm", async () => {
    const ended = { ...silent, id: "WP912026", is_active: false };
    open([silent, ended]);
    const last = silent.tracks.observed.at(-1)!;
    const { results, without_forecast } = stormApproachResponse.parse(
      parsed(
        await approach({ provider: "jtwc", vessel: { ...vessel, latitude: last.lat, longitude: last.lon } }),
      ),
    );
    expect(results).toEqual([]);
    const named = { name: silent.name, last_fix_time: last.time, km: 0 };
    expect(without_forecast).toEqual([
      { id: "WP902026", is_active: true, ...named },
      { id: "WP912026", is_active: false, ...named },
    ]);
    // The voyage begins after the forecast's end: the forecast does not cover it.
    open([near]);
    const later = { ...vessel, timestamp: "2026-09-20T00:00:00Z" };
    const beyond = stormApproachResponse.parse(parsed(await approach({ provider: "jtwc", vessel: later })));
    expect(beyond.results).toEqual([]);
    expect(beyond.without_forecast).toMatchObject([{ id: "WP012026", last_fix_time: BASE }]);
  });

  it("rejects both, neither and a route that goes back in time, and says where", async () => {
    const waypoint = { latitude: 0, longitude: 0, timestamp: "2026-09-15T12:00:00Z" };
    const rejected = async (body: object) => {
      const reply = await approach({ provider: "jtwc", ...body });
      expect(reply.status).toBe(422);
      return parsed(reply).detail[0];
    };
    expect(await rejected({})).toMatchObject({
      loc: ["body", "vessel"],
      msg: "Value error, Give either vessel or route",
    });
    expect((await rejected({ vessel, route: [waypoint] })).loc).toEqual(["body", "vessel"]);
    expect((await rejected({ route: [waypoint, waypoint] })).loc).toEqual(["body", "route", 1, "timestamp"]);
    expect((await rejected({ vessel: { ...vessel, speed_kt: "10" } })).loc).toEqual([
      "body",
      "vessel",
      "speed_kt",
    ]);
  });

  it("is never an empty list for a feed that was never received", async () => {
    open(undefined);
    expect((await approach({ provider: "jma", vessel })).status).toBe(503);
  });
});
