import { describe, expect, it } from "vitest";
import { en } from "#test/all-words.ts";
import { seeded } from "#test/seeded.ts";
import { PointListError, problemText } from "./list-problem.ts";
import { decodeText, readPointFile } from "./read-file.ts";

const noon = Date.parse("2026-09-15T12:00:00Z") / 1000;
const brest = { latitude: 48.5, longitude: -5.25, time: noon };

const read = async (content: Uint8Array | string, languages: readonly string[] = ["en"]) =>
  (await readPointFile(content, { languages }))[0]!;
const bytes = (text: string) => new TextEncoder().encode(text);

describe("a table", () => {
  it.each([
    "latitude,longitude,timestamp\n48.5,-5.25,2026-09-15T12:00:00Z\n",
    "\uFEFFlat,lon,time\r\n48.5,-5.25,2026-09-15 12:00\r\n\r\n",
    "zone;Lat (deg);Lon (deg);ETA\nA;48,5;-5,25;2026-09-15T14:00:00+02:00",
    "lat\tlon\ttime\n48,5\t-5,25\t2026-09-15T12:00Z",
    "lat,lon,time\n48.5,-5.25,2026-09-15T12:00Z,,",
    'lat,lon,time\n"48,5","-5,25",2026-09-15T12:00Z',
    "# plotter\n// of the boat\nlon\tlat\ttime\n354.75\t48.5\t2026-09-15T12:00Z",
    'note,lat,lon,time\n"Brest, ""roads""",48.5,−5.25,2026-09-15T12:00:00.2Z',
    'note,lat,lon,time\n"a\nb",48.5,-5.25,2026-09-15T12:00Z',
    "sep=;\r\nlat;lon;time\r\n48,5;-5,25;15.09.2026 12:00",
    `lat,lon,time\n48°30'00"N,005°15'00"W,2026-09-15T12:00Z`,
    "lat,lon,time\n4830N,00515W,20260915 1200",
    "Lat,N/S,Lon,E/W,Time\n4830.0,N,00515.0,W,2026-09-15T12:00Z",
    'position;time\n"48,5; -5,25";2026-09-15T12:00Z',
    "Breite;Länge;Datum;Uhrzeit\n48,5;-5,25;15.09.2026;12:00",
    "Latitude;Longitude;Date;Heure\n48,5;-5,25;15/09/2026;12h00",
    "Latitud;Longitud;Fecha;Hora\n48,5;-5,25;15/09/2026;12:00",
    "Latitude;Longitude;Data;Hora\n48,5;-5,25;15/09/2026;12:00",
    "緯度,経度,日時\n48.5,-5.25,2026年9月15日12時00分",
    "纬度\t经度\t日期\t时间\n48.5\t-5.25\t2026-09-15\t12:00",
    "Lat,Lon,Date/Time (UTC)\n48.5,-5.25,15 Sep 2026 12:00",
    "Lat,Lon,Time (UTC+2)\n48.5,-5.25,2026-09-15 14:00",
    `lat,lon,epoch time\n48.5,-5.25,${noon}`,
    "lat,lon,date\n48.5,-5.25,09/15/2026 12:00 PM",
    "lat,lon,time (CET),timestamp\n48.5,-5.25,2026-09-15 14:00,2026-09-15T12:00:00Z",
    "lat,lon,Date (YYYY-MM-DD)\n48.5,-5.25,2026-09-15T12:00:00Z",
    "48.5,-5.25,2026-09-15T12:00Z",
    "48 30N 005 15W;2026-09-15T12:00Z",
  ])("is read as it is written by people and programs: %j", async (text) => {
    const { points } = await read(text);
    expect(points).toEqual([expect.objectContaining({ ...brest, longitude: expect.closeTo(-5.25, 9) })]);
  });

  it.each([
    ["Lat N,Lon W\n48.5,5.2", 48.5, -5.2],
    ["Latitude (°S);Longitude (°W)\n48,5;5,2", -48.5, -5.2],
    ["Latitude South,Longitude West\n48.5,5.2", -48.5, -5.2],
    ["Latitude (°N),Longitude (°E)\n-48.5,-5.2", -48.5, -5.2],
    ["Lat (N/S),Lon (E/W)\n-48.5,-5.2", -48.5, -5.2],
    ["Lat (deg min s),Lon (deg min s)\n48 30 00,5 12 00", 48.5, 5.2],
    ["Lat (DD MIN S),Lon (DD MIN S)\n48 30 00,5 12 00", 48.5, 5.2],
    ["Lat deg min S,Lon deg min W\n48 30,5 12", -48.5, -5.2],
    ["Lat DMS S,Lon DMS W\n48 30 00,5 12 00", -48.5, -5.2],
    // A letter in a cell, or in a column of its own, takes precedence over the title.
    ["Lat S,Lon W\n48.5 N,5.2 E", 48.5, 5.2],
    ["Lat,N/S,Lon W,E/W\n48.5,N,5.2,E", 48.5, 5.2],
  ])("counts towards the hemisphere that a title names: %j", async (text, latitude, longitude) => {
    const [point] = (await read(text)).points;
    expect(point!.latitude).toBeCloseTo(latitude, 9);
    expect(point!.longitude).toBeCloseTo(longitude, 9);
  });

  it.each([
    ["Lat,Lon W\n48.5,-5.2", "longitude “-5.2”"],
    ["Lat S,Lon\n-48.5,5.2", "latitude “-48.5”"],
    ["Lat,Lon W\n48.5,354.8", "longitude “354.8”"],
  ])("refuses a sign below a title that has a hemisphere already: %j", async (text, what) => {
    await expect(read(text)).rejects.toThrow(what);
  });

  it("refuses one column of both angles whose title turns one of them", async () => {
    await expect(read('"Lat S, Lon W";name\n48.5 5.2;a')).rejects.toThrow("latitude");
  });

  it("is read in Windows-1252, UTF-16 and Shift JIS", async () => {
    const latin = Uint8Array.from("Breite;L\xe4nge;Zeit\n48\xb030'N;5\xb015'W;15.09.2026 12:00", (sign) =>
      sign.charCodeAt(0),
    );
    expect((await read(latin)).points).toEqual([brest]);
    const wide = new Uint8Array([
      0xff,
      0xfe,
      ...[..."lat;lon\n1;2"].flatMap((sign) => [sign.charCodeAt(0), 0]),
    ]);
    expect((await read(wide)).points[0]).toMatchObject({ latitude: 1, longitude: 2 });
    expect(decodeText(Uint8Array.from([0x88, 0xdc, 0x93, 0x78]), ["ja-JP"])).toBe("緯度");
  });

  it("may have no times, and names", async () => {
    expect((await read("Name,lat,lon\nStart,1,2\n,3,4")).points).toEqual([
      { latitude: 1, longitude: 2, time: undefined, name: "Start" },
      { latitude: 3, longitude: 4, time: undefined },
    ]);
  });

  it("says how its columns were understood, and which rows were refused", async () => {
    const { points, notes, unread } = await read(
      "Breite;Länge;Datum;Ort\n48,5;-5,25;15.09.2026;A\n\n91;0;15.09.2026;B\n# C\n0;0;bald;D\n",
    );
    expect(points).toHaveLength(1);
    expect(notes).toMatchObject({
      titles: { latitude: "Breite", longitude: "Länge", date: "Datum" },
      hasHeader: true,
      assumedUtc: true,
    });
    expect(unread?.shown.map((problem) => problemText(problem, en.lists))).toEqual([
      "Line 4: the latitude “91” should be −90 to 90, or like 48°30.5′N.",
      "Line 6: “bald” is not a time such as 2026-09-15T12:00:00Z.",
    ]);
  });

  it("says which order of day and month it assumed, and takes another", async () => {
    const text = "lat,lon,date\n1,2,03/04/2026 12:00\n";
    const april = Date.parse("2026-04-03T12:00:00Z") / 1000;
    const march = Date.parse("2026-03-04T12:00:00Z") / 1000;
    const european = await read(text, ["en-GB"]);
    expect(european.notes?.assumedOrder).toBe("day-month");
    expect(european.points[0]?.time).toBe(april);
    expect((await read(text, ["en-US"])).points[0]?.time).toBe(march);
    const [asked] = await readPointFile(text, { languages: ["en-GB"], dateOrder: "month-day" });
    expect(asked?.points[0]?.time).toBe(march);
    const decided = await read(`${text}1,2,25/04/2026 12:00`, ["en-US"]);
    expect(decided.notes?.assumedOrder).toBeUndefined();
    expect(decided.points[0]?.time).toBe(april);
  });

  it.each([
    ["", /empty/],
    ["a,b\n1,2", /should name the columns/],
    ["lat,lon\n", /no points/],
    ["lat,time\n1,2", /no column for the longitude/],
    ["lat deg,lat min,lon\n1,2,3", /both look like the latitude/],
    ["lat,lon,time (local)\n1,2,2026-09-15 12:00", /local time/],
    ["lat,lon,time (CET)\n1,2,2026-09-15 12:00", /“time \(CET\)” looks like a time/],
    ["lat,lon,ETA BST\n1,2,2026-09-15 12:00", /“ETA BST” looks like a time/],
    ["Breite;Länge;Zeit [Bord]\n1;2;2026-09-15 12:00", /“Zeit \[Bord\]” looks like a time/],
    ['lat,lon\n"1,2\n3,4', /Line 2 has a quotation mark that is not closed/],
    ["lat,lon\n48,5,-5,25\n", /decimal commas need semicolons or tabs/],
    [`lat,lon\n${"x,y\n".repeat(9)}`, /… and 4 more\.$/],
    [`${"a,".repeat(600)}\n`, /more than 500 cells/],
    ["lat,lon\n1,2\0", /not text/],
  ])("is refused: %j", async (text, problem) => {
    await expect(read(text)).rejects.toThrow(PointListError);
    await expect(read(text)).rejects.toThrow(problem);
  });
});

it.each([
  [bytes("%PDF-1.7"), /PDF/],
  [Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0]), /\.xls/],
  [Uint8Array.from([0x1f, 0x8b, 8]), /gzip/],
  [bytes('<?xml version="1.0"?><kml xmlns="x"'), /KML/],
])("another format is refused by its name", async (content, problem) => {
  await expect(read(content)).rejects.toThrow(problem);
});

it("reads or refuses whatever is in a file, and never a place out of range", async () => {
  const random = seeded(11);
  const parts = [..."lat lon time 48,5 -5.2 99 9/8/2026 12 O N".split(" "), ...' ,;#\t\n"', "\r\n"];
  for (let round = 0; round < 1500; round++) {
    const text = Array.from({ length: 40 * random() }, () => parts[Math.floor(random() * parts.length)]).join(
      "",
    );
    const content = round % 3 === 0 ? bytes(text) : `lat;lon\n${text}`;
    const found = await readPointFile(content, { languages: [] }).catch((error: unknown) => {
      if (!(error instanceof PointListError)) throw error;
      return [];
    });
    for (const { latitude, longitude } of found.flatMap(({ points }) => points))
      expect(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180, text).toBe(true);
  }
});
