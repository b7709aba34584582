import { expect, it } from "vitest";
import { stormOutlooks } from "#lib/contract/storm-outlook.ts";
import { inRing } from "#lib/geo/ring.ts";
import { ofWire } from "#lib/storms/wire.ts";
import { deriveStorms } from "#server/storms/derive.ts";
import { feedTexts } from "./feed.ts";

const HOUR = 3600;
const start = Date.parse("2026-09-15T12:00:00Z") / 1000;

it("at every time the demo has an invest with an area and an alert, and a disturbance without a number", () => {
  for (let step = 0; step < 24; step++) {
    const now = start + step * 37 * HOUR;
    const { areas, storms, problems, failures } = deriveStorms({
      provider: "jtwc",
      texts: feedTexts("jtwc", now, { seed: 1 }),
      previous: [],
      now,
    });
    // Of a storm that has ended the last warning may be old.
    expect(problems.filter(({ source }) => !source.endsWith(".tcw"))).toEqual([]);
    expect(failures).toEqual([]);
    const [pacific, western] = stormOutlooks.parse({ results: areas.outlooks }).results;
    expect(western).toMatchObject({ product: "ABPW10", areas: [{ storm_id: null, designation: null }] });
    const invests = storms.map(({ entry }) => entry).filter((entry) => entry.is_invest && entry.is_active);
    expect(invests).toHaveLength(1);
    const { formation_alert: alert, development, tracks, id } = invests[0]!;
    expect(pacific).toMatchObject({ product: "gtwo_pac", areas: [{ storm_id: id }] });
    const { polygon, percent_7d } = pacific!.areas[0]!;
    expect(development).toMatchObject({ percent_7d, within_hours: 168 });
    expect(alert!.valid_until - alert!.issued_at).toBe(24 * HOUR);
    expect(alert!.heading_deg).not.toBeNull();
    const centre = ofWire(tracks.observed.at(-1)!);
    expect(inRing(alert!.corridor.map(ofWire), centre)).toBe(true);
    expect(inRing(polygon!.map(ofWire), centre)).toBe(true);
  }
});
