import { describe, expect, it } from "vitest";
import { type AreaSnapshot, areaFields, areasOf, linkedOutlooks, noAreas } from "./areas.ts";
import type { InvestAlert } from "./bulletin.ts";
import type { StormArea, StormOutlook } from "./schema.ts";

const now = Date.parse("2026-09-25T12:00:00Z") / 1000;
const HOUR = 3600;

const area = (more: Partial<StormArea> = {}): StormArea => ({
  id: "EP952026",
  storm_id: "EP952026",
  designation: "95E",
  name: null,
  likelihood: "medium",
  within_hours: 168,
  percent_48h: 20,
  percent_7d: 60,
  place: null,
  polygon: null,
  winds_kt: null,
  mslp_hpa: null,
  text: "",
  ...more,
});

const outlook = (hoursAgo: number, more: Partial<StormOutlook> = {}): StormOutlook => ({
  product: "ABPZ20",
  agency: "nhc",
  basins: ["east_pacific"],
  issued_at: now - hoursAgo * HOUR,
  valid_until: null,
  areas: [area()],
  systems: [],
  ...more,
});

const alert = (hoursAgo: number, isCancelled = false): InvestAlert => ({
  storm: "EP952026",
  issued: now - hoursAgo * HOUR,
  alert: isCancelled
    ? null
    : {
        issued_at: now - hoursAgo * HOUR,
        valid_until: now + (24 - hoursAgo) * HOUR,
        bulletin: "WTPN21",
        likelihood: "high",
        line: [{ lat: 12, lon: -115 }],
        half_width_km: 200,
        corridor: [],
        winds_kt: null,
        mslp_hpa: null,
        heading_deg: null,
        speed_kmh: null,
        text: "",
      },
});

const of = (...found: { outlook?: StormOutlook; alert?: InvestAlert }[]) =>
  found.map((each) => ({ reports: [], problems: [], ...each }));

const kept = (snapshot: AreaSnapshot) =>
  snapshot.outlooks.map(({ product, issued_at }) => [product, issued_at]);

describe("of the outlooks", () => {
  it("the newest of each basin counts, in whichever order they are read", () => {
    const [old, young] = [outlook(12), outlook(6)];
    const west = outlook(9, { product: "ABPW10", agency: "jtwc", basins: ["west_pacific", "south_pacific"] });
    for (const texts of [
      [old, young, west],
      [west, young, old],
    ]) {
      const found = areasOf(of(...texts.map((each) => ({ outlook: each }))), noAreas, now);
      expect(found.outlooks).toEqual([young, west]);
    }
  });

  it("the last stays where a text is missing, and goes when it is two days old", () => {
    const before = { outlooks: [outlook(6)], alerts: [] };
    expect(areasOf([], before, now + 41 * HOUR).outlooks).toHaveLength(1);
    expect(areasOf([], before, now + 43 * HOUR).outlooks).toEqual([]);
  });

  it("a text of the future does not count in a replay of the past", () => {
    expect(areasOf(of({ outlook: outlook(-7) }), noAreas, now)).toEqual(noAreas);
  });

  const corner = { lat: 10, lon: -110 };
  const drawing = {
    place: corner,
    polygon: [corner, { lat: 10, lon: -105 }, { lat: 14, lon: -105 }, corner],
  };

  it("the drawn areas stand for the text of the same issue where both say the same", () => {
    const drawn = outlook(6.1, { product: "gtwo_pac", areas: [area(drawing)] });
    const both = areasOf(of({ outlook: drawn }, { outlook: outlook(6) }), noAreas, now);
    expect(both.outlooks).toEqual([drawn]);
    const emptied = outlook(6.1, { product: "gtwo_pac", areas: [] });
    expect(kept(areasOf(of({ outlook: emptied }, { outlook: outlook(6) }), noAreas, now))[0]![0]).toBe(
      "ABPZ20",
    );
  });

  const nameless = { id: "x", storm_id: null, designation: null, name: "Offshore" };
  const special = outlook(1, {
    areas: [
      area({ percent_48h: 70, percent_7d: 90, likelihood: "high" }),
      area({ ...nameless, percent_7d: 70 }),
    ],
  });
  const older = outlook(2.5, {
    product: "gtwo_pac",
    areas: [area({ ...drawing, percent_48h: 20, percent_7d: 30, likelihood: "low" })],
  });
  const completed = {
    ...special,
    areas: [{ ...special.areas[0], ...drawing, drawn_at: older.issued_at }, special.areas[1]],
  };

  it("the chances are those of the newest text, and an older drawing of the same invest tells its time", () => {
    for (const texts of [
      [older, special],
      [special, older],
    ]) {
      const found = areasOf(of(...texts.map((each) => ({ outlook: each }))), noAreas, now);
      expect(found.outlooks).toEqual([completed]);
      expect(areasOf(of({ outlook: special }), found, now).outlooks).toEqual([completed]);
      expect(areasOf([], found, now).outlooks).toEqual([completed]);
    }
  });

  it("no drawing is taken for an area without a number whose chances have changed, or from another day", () => {
    const other = { ...older, areas: [area({ ...nameless, ...drawing, percent_7d: 20 })] };
    const yesterday = outlook(20, { product: "gtwo_pac", areas: older.areas });
    for (const drawn of [other, yesterday]) {
      expect(areasOf(of({ outlook: drawn }, { outlook: special }), noAreas, now).outlooks).toEqual([special]);
    }
    const same = { ...older, areas: [area({ ...nameless, ...drawing, percent_7d: 70 })] };
    const [found] = areasOf(of({ outlook: same }, { outlook: special }), noAreas, now).outlooks;
    expect(found!.areas[1]).toMatchObject({ percent_7d: 70, drawn_at: older.issued_at });
  });
});

describe("of the alerts of an invest", () => {
  it("the newest counts, and stays 6 h after its end", () => {
    const found = areasOf(of({ alert: alert(20) }, { alert: alert(2) }), noAreas, now);
    expect(found.alerts).toEqual([alert(2)]);
    expect(areasOf([], found, now + 27 * HOUR).alerts).toHaveLength(1);
    expect(areasOf([], found, now + 29 * HOUR).alerts).toEqual([]);
  });

  it("a cancellation ends it, also when the alert is read again", () => {
    const cancelled = areasOf(of({ alert: alert(4) }, { alert: alert(2, true) }), noAreas, now);
    expect(cancelled.alerts).toEqual([alert(2, true)]);
    expect(areasOf(of({ alert: alert(4) }), cancelled, now).alerts).toEqual([alert(2, true)]);
    expect(
      areasOf(of({ alert: alert(2, true) }, { alert: alert(2) }), noAreas, now).alerts[0]!.alert,
    ).toBeNull();
  });
});

describe("the entry of an invest", () => {
  const invest = { id: "EP952026", is_invest: true, is_active: true };

  it("has the newest statement on its development, and its alert", () => {
    const snapshot = { outlooks: [outlook(6)], alerts: [alert(2)] };
    expect(areaFields(invest, snapshot)).toEqual({
      development: {
        likelihood: "high",
        within_hours: 24,
        percent_48h: null,
        percent_7d: null,
        issued_at: now - 2 * HOUR,
      },
      formation_alert: alert(2).alert,
    });
    expect(areaFields(invest, { ...snapshot, alerts: [alert(9)] }).development).toMatchObject({
      likelihood: "medium",
      percent_7d: 60,
    });
  });

  it("alone has them: a storm, and what is no longer tracked, do not", () => {
    const snapshot = { outlooks: [outlook(6)], alerts: [alert(2)] };
    expect(areaFields({ ...invest, is_invest: false }, snapshot)).toEqual({});
    expect(areaFields({ ...invest, is_active: false }, snapshot)).toEqual({});
  });
});

describe("an invest that crosses New Year", () => {
  const invest = { id: "EP952025", aliases: ["EP952026"], is_invest: true, is_active: true };
  const before = { ...alert(9), storm: "EP952025" };

  it("has the newest alert and outlook of all its ids", () => {
    const snapshot = { outlooks: [outlook(1)], alerts: [before, alert(2)] };
    expect(areaFields(invest, snapshot)).toMatchObject({
      development: { percent_7d: 60, issued_at: now - HOUR },
      formation_alert: { issued_at: now - 2 * HOUR },
    });
    expect(areaFields(invest, { ...snapshot, alerts: [before, alert(2, true)] })).not.toHaveProperty(
      "formation_alert",
    );
  });

  it("is what its area in the outlook is linked to, by the id that is published", () => {
    const [linked] = linkedOutlooks([outlook(1)], [invest]);
    expect(linked!.areas[0]).toMatchObject({ id: "EP952025", storm_id: "EP952025" });
  });

  it("has nothing of another entry whose id is among its aliases", () => {
    const other = { ...invest, id: "EP952026", aliases: [] };
    const snapshot = { outlooks: [outlook(1)], alerts: [alert(2)] };
    expect(areaFields(invest, snapshot, new Set(["EP952025", "EP952026"]))).toEqual({});
    const [linked] = linkedOutlooks([outlook(1)], [invest, other]);
    expect(linked!.areas[0]!.storm_id).toBe("EP952026");
  });
});
