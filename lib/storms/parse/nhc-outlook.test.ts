import { unwrapped } from "@open-metocean/geo/ring";
import { describe, expect, it } from "vitest";
import { stormOutlooks } from "../schema.ts";
import { parseText } from "./text.ts";

const now = Date.UTC(2026, 7, 20, 6) / 1000;

/** An outlook in NHC's layout. */
const atlantic = `323
ABNT20 KNHC 200514
TWOAT

Tropical Weather Outlook
NWS National Hurricane Center Miami FL
200 AM EDT Thu Aug 20 2026

For the North Atlantic...Caribbean Sea and the Gulf of America:

Active Systems:
The National Hurricane Center is issuing advisories on Hurricane
Delta, located over the western Atlantic Ocean.

Near the Leeward Islands:
A wave is expected to reach the islands on Saturday.  Slow
development is possible while it moves westward.
* Formation chance through 48 hours...low...near 0 percent.
* Formation chance through 7 days...medium..50 percent.

Central Tropical Atlantic (AL95):
Showers have become better organized: a depression is likely to form
within a day or two.
* Formation chance through 48 hours...high...80 percent.
* Formation chance through 7 days...high...near 90 percent.

&&
High Seas Forecasts can be found under AWIPS header NFDHSFAT1.

$$
Forecaster Nobody
`;

describe("a tropical weather outlook of NHC", () => {
  it("has the chances, names and paragraphs of its areas", () => {
    const { outlook, reports, problems } = parseText("TWOAT.txt", atlantic, now);
    expect([reports, problems]).toEqual([[], []]);
    expect(stormOutlooks.parse({ results: [outlook] }).results[0]).toEqual({
      product: "ABNT20",
      agency: "nhc",
      basins: ["north_atlantic"],
      issued_at: Date.UTC(2026, 7, 20, 5, 14) / 1000,
      valid_until: null,
      systems: [],
      areas: [
        expect.objectContaining({
          id: "ABNT20-1",
          storm_id: null,
          name: "Near the Leeward Islands",
          likelihood: "medium",
          within_hours: 168,
          percent_48h: 0,
          percent_7d: 50,
          text: "A wave is expected to reach the islands on Saturday. Slow development is possible while it moves westward.",
        }),
        expect.objectContaining({
          id: "AL952026",
          storm_id: "AL952026",
          designation: "95L",
          name: "Central Tropical Atlantic",
          likelihood: "high",
          percent_48h: 80,
          percent_7d: 90,
          text: "Showers have become better organized: a depression is likely to form within a day or two.",
        }),
      ],
    });
  });

  it("reads the central Pacific's, with numbers before the paragraphs and two invests in one area", () => {
    const text = `ACPN50 PHFO 202333
TWOCP
Tropical Weather Outlook
NWS Central Pacific Hurricane Center Honolulu HI
200 PM HST Thu Aug 20 2026

For the central North Pacific...between 140W and 180W:

Approximately 1350 miles east-southeast of Hilo, Hawaii (EP90/EP91):
1. Two disturbances are expected to merge tonight.
* Formation chance through 48 hours...high...90 percent.
* Formation chance through 7 days...high...90 percent.

Elsewhere, no tropical cyclones are expected during the next 7 days.

$$
Forecaster Nobody
`;
    expect(parseText("TWOCP.txt", text, now + 86_400).outlook).toMatchObject({
      agency: "cphc",
      issued_at: Date.UTC(2026, 7, 20, 23, 33) / 1000,
      areas: [{ storm_id: "EP902026", name: "Approximately 1350 miles east-southeast of Hilo, Hawaii" }],
    });
  });

  it("says that nothing is expected only where the text says so", () => {
    const [head] = atlantic.split("Near the Leeward");
    const quiet = `${head}Tropical cyclone formation is not expected during the next 7 days.\n\n$$\nForecaster Nobody\n`;
    expect(parseText("TWOAT.txt", quiet, now).outlook!.areas).toEqual([]);
    const silent = parseText("TWOAT.txt", `${head}$$\n`, now);
    expect([silent.outlook, silent.problems[0]!.reason]).toEqual([
      undefined,
      "an outlook that names no area, and does not say that none is expected",
    ]);
  });

  it("is refused where it is cut off, or a chance cannot be read", () => {
    for (const length of [0.3, 0.5, 0.8, 0.99].map((share) => share * atlantic.indexOf("$$"))) {
      const { outlook, problems } = parseText("TWOAT.txt", atlantic.slice(0, length), now);
      expect([outlook, problems[0]?.reason]).toEqual([undefined, "cut: no $$ ends the outlook"]);
    }
    const unread = atlantic.replace("medium..50 percent", "medium...fifty percent");
    expect(parseText("TWOAT.txt", unread, now).problems[0]!.reason).toContain("chances cannot be read");
  });
});

const mark = (data: Record<string, string>, geometry: string) =>
  `<Placemark><styleUrl>#x</styleUrl><ExtendedData>${Object.entries(data)
    .map(([name, value]) => `<Data name="${name}"><value>${value}</value></Data>`)
    .join("")}</ExtendedData>${geometry}</Placemark>`;

const area = {
  Disturbance: "1",
  "2day_percentage": "20%",
  "2day_category": "Low",
  "7day_percentage": "60%",
  "7day_category": "Medium",
  Discussion:
    "<![CDATA[1. Central Pacific (EP93):<br/>A low is moving <b>westward</b>.\n* Formation chance through 48 hours...low...20 percent.]]>",
};

/** Clockwise, as some are published, and across 180°. */
const ring = "-178,10,0 -178,16,0 -174,16,0 -170,10,0 -178,10,0".replaceAll("-178", "178");

const kml = (marks: string, name = "eastern North Pacific basin - Thu Aug 20 05:25:08 2026") =>
  `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://earth.google.com/kml/2.1"><Document>
<name>Graphical Tropical Weather Outlook - ${name}</name><Folder>${marks}</Folder></Document></kml>`;

const polygon = `<Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon>`;

describe("the areas of NHC's graphical outlook", () => {
  it("are read with their chances, and with the point of the same disturbance", () => {
    const point = mark(area, "<Point><coordinates>-175.2,12.5,0</coordinates></Point>");
    const track = "<Placemark><LineString><coordinates>1,1,0 2,2,0</coordinates></LineString></Placemark>";
    const { outlook } = parseText("gtwo_pac.kml", kml(mark(area, polygon) + point + track), now);
    expect(stormOutlooks.parse({ results: [outlook] }).results[0]).toMatchObject({
      product: "gtwo_pac",
      basins: ["east_pacific"],
      issued_at: Date.UTC(2026, 7, 20, 5, 25) / 1000,
      areas: [
        {
          id: "EP932026",
          designation: "93E",
          name: "Central Pacific",
          likelihood: "medium",
          percent_48h: 20,
          percent_7d: 60,
          place: { lat: 12.5, lon: -175.2 },
          text: "A low is moving westward .",
        },
      ],
    });
    const ringOf = outlook!.areas[0]!.polygon!;
    expect(ringOf.at(-1)).toEqual(ringOf[0]);
    const x = unwrapped(ringOf.map(({ lon }) => lon));
    const twice = ringOf
      .slice(1)
      .reduce((sum, { lat }, at) => sum + x[at]! * lat - x[at + 1]! * ringOf[at]!.lat, 0);
    expect(twice).toBeGreaterThan(0);
    expect(Math.max(...x) - Math.min(...x)).toBeCloseTo(12, 6);
  });

  it("are classed by their percentage where the word is unknown, and never by a guess", () => {
    const of = (word: string, percent: string) =>
      parseText(
        "gtwo_pac.kml",
        kml(mark({ ...area, "7day_category": word, "7day_percentage": percent }, polygon)),
        now,
      );
    expect(of("NearZero", "Near 0%").outlook!.areas[0]).toMatchObject({ likelihood: "low", percent_7d: 0 });
    expect(of("Extreme", "70%").outlook!.areas[0]!.likelihood).toBe("high");
    expect(of("Extreme", "unknown").problems[0]!.reason).toBe("an area without a likelihood");
  });

  it("are refused where the file is cut off, at any place", () => {
    const whole = kml(mark(area, polygon));
    for (let end = 60; end < whole.length - 1; end += 7) {
      expect(parseText("gtwo_pac.kml", whole.slice(0, end), now).outlook, String(end)).toBeUndefined();
    }
  });
});
