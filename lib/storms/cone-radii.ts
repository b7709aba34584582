/** One season's table of a basin: radii that contain two thirds of the forecast errors of five years. */
export interface ConeRow {
  /** First season it applies to. */
  year: number;
  /** Nautical miles at `coneHours`; null if the season's table has no such hour. */
  miles: readonly (number | null)[];
  /** Copies of NHC's table that agree on the numbers (keys of `coneTableSources`). */
  sources: readonly (keyof typeof coneTableSources)[];
  /** When the sources were read. */
  read: string;
}

/** Forecast hours of the tables. */
export const coneHours = [3, 12, 24, 36, 48, 60, 72, 96, 120] as const;

/** Where the tables were read. NHC publishes only the current season and has no archive. */
export const coneTableSources = {
  tropycal: "tropycal, src/tropycal/constants.py at 969005b",
  HurricaneMap: "SysAdminDoc/HurricaneMap, data/cone-radii.json, from NHC's verification reports, 2026-09-08",
  "hwn.org": "hwn.org/weather/about-cone.html, a copy of NHC's page, based on 2018 to 2022",
  "a published map": "a published map of the season, which draws the same numbers",
  "NHC cone page": "a copy of NHC's page of the cone of 2026",
  "NHC cone polygon of Nolo": "measured on NHC's own polygon: 25 n mi at 12 h, 106 at 96 h, 138 at 120 h",
} as const;

const read = "2026-11-21";

/** Official tables, newest first. Central Pacific: 2018 to 2022 and 2025 could not be found. */
export const coneRows = {
  north_atlantic: [
    {
      year: 2026,
      miles: [16, 25, 39, 49, 62, 77, 95, 134, 200],
      sources: ["tropycal", "HurricaneMap", "NHC cone page"],
      read,
    },
    {
      year: 2025,
      miles: [16, 26, 39, 52, 67, 83, 100, 142, 213],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    {
      year: 2024,
      miles: [16, 26, 41, 55, 70, 88, 102, 151, 220],
      sources: ["tropycal", "a published map"],
      read,
    },
    { year: 2023, miles: [16, 26, 39, 53, 67, 81, 99, 145, 205], sources: ["tropycal", "hwn.org"], read },
    { year: 2022, miles: [16, 26, 39, 52, 67, 84, 100, 142, 200], sources: ["tropycal"], read },
    { year: 2021, miles: [16, 27, 40, 55, 69, 86, 102, 148, 200], sources: ["tropycal"], read },
    { year: 2020, miles: [16, 26, 41, 55, 69, 86, 103, 151, 196], sources: ["tropycal"], read },
    {
      year: 2019,
      miles: [16, 26, 41, 54, 68, null, 102, 151, 198],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    {
      year: 2018,
      miles: [16, 26, 43, 56, 74, null, 103, 151, 198],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    {
      year: 2017,
      miles: [16, 29, 45, 63, 78, null, 107, 159, 211],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    {
      year: 2016,
      miles: [16, 30, 49, 66, 84, null, 115, 165, 237],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    {
      year: 2015,
      miles: [16, 32, 52, 71, 90, null, 122, 170, 225],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    { year: 2014, miles: [16, 33, 52, 72, 92, null, 125, 170, 226], sources: ["tropycal"], read },
    { year: 2013, miles: [16, 33, 52, 72, 92, null, 128, 177, 229], sources: ["tropycal"], read },
    { year: 2012, miles: [16, 36, 56, 75, 95, null, 141, 180, 236], sources: ["tropycal"], read },
    { year: 2011, miles: [16, 36, 59, 79, 98, null, 144, 190, 239], sources: ["tropycal"], read },
    { year: 2010, miles: [16, 36, 62, 85, 108, null, 161, 220, 285], sources: ["tropycal"], read },
    { year: 2009, miles: [16, 36, 62, 89, 111, null, 167, 230, 302], sources: ["tropycal"], read },
    { year: 2008, miles: [16, 39, 67, 92, 118, null, 170, 233, 305], sources: ["tropycal"], read },
  ],
  east_pacific: [
    {
      year: 2026,
      miles: [16, 25, 37, 48, 56, 66, 78, 106, 138],
      sources: ["tropycal", "HurricaneMap", "NHC cone polygon of Nolo"],
      read,
    },
    {
      year: 2025,
      miles: [16, 26, 38, 50, 59, 71, 83, 113, 146],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    {
      year: 2024,
      miles: [16, 26, 39, 53, 65, 76, 92, 119, 152],
      sources: ["tropycal", "a published map"],
      read,
    },
    { year: 2023, miles: [16, 25, 38, 51, 63, 78, 86, 110, 137], sources: ["tropycal", "hwn.org"], read },
    { year: 2022, miles: [16, 25, 38, 51, 65, 79, 93, 120, 146], sources: ["tropycal"], read },
    { year: 2021, miles: [16, 25, 37, 51, 64, 77, 89, 114, 138], sources: ["tropycal"], read },
    { year: 2020, miles: [16, 25, 38, 51, 65, 78, 91, 115, 138], sources: ["tropycal"], read },
    {
      year: 2019,
      miles: [16, 25, 38, 48, 62, null, 88, 115, 145],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    {
      year: 2018,
      miles: [16, 25, 39, 50, 66, null, 94, 125, 162],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    {
      year: 2017,
      miles: [16, 25, 40, 51, 66, null, 93, 116, 151],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    {
      year: 2016,
      miles: [16, 27, 42, 55, 70, null, 100, 137, 172],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    {
      year: 2015,
      miles: [16, 26, 42, 54, 69, null, 100, 143, 182],
      sources: ["tropycal", "HurricaneMap"],
      read,
    },
    { year: 2014, miles: [16, 30, 46, 62, 79, null, 105, 154, 190], sources: ["tropycal"], read },
    { year: 2013, miles: [16, 30, 49, 66, 82, null, 111, 157, 197], sources: ["tropycal"], read },
    { year: 2012, miles: [16, 33, 52, 72, 89, null, 121, 170, 216], sources: ["tropycal"], read },
    { year: 2011, miles: [16, 33, 59, 79, 98, null, 134, 187, 230], sources: ["tropycal"], read },
    { year: 2010, miles: [16, 36, 59, 82, 102, null, 138, 174, 220], sources: ["tropycal"], read },
    { year: 2009, miles: [16, 36, 59, 85, 105, null, 148, 187, 230], sources: ["tropycal"], read },
    { year: 2008, miles: [16, 36, 66, 92, 115, null, 161, 210, 256], sources: ["tropycal"], read },
  ],
  central_pacific: [
    { year: 2026, miles: [null, 25, 37, 48, 56, 66, 78, 106, 138], sources: ["NHC cone page"], read },
    { year: 2024, miles: [null, 34, 49, 66, 81, 95, 120, 137, 156], sources: ["a published map"], read },
    { year: 2023, miles: [null, 34, 49, 66, 81, 95, 120, 137, 156], sources: ["hwn.org"], read },
  ],
} as const satisfies Record<string, readonly ConeRow[]>;
