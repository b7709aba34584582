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

/** Official tables, newest first. Central Pacific: 2018 to 2022 and 2025 could not be found. */
export const coneRows = {
  north_atlantic: [
    row(2026, [16, 25, 39, 49, 62, 77, 95, 134, 200], "tropycal", "HurricaneMap", "NHC cone page"),
    row(2025, [16, 26, 39, 52, 67, 83, 100, 142, 213], "tropycal", "HurricaneMap"),
    row(2024, [16, 26, 41, 55, 70, 88, 102, 151, 220], "tropycal", "a published map"),
    row(2023, [16, 26, 39, 53, 67, 81, 99, 145, 205], "tropycal", "hwn.org"),
    row(2022, [16, 26, 39, 52, 67, 84, 100, 142, 200], "tropycal"),
    row(2021, [16, 27, 40, 55, 69, 86, 102, 148, 200], "tropycal"),
    row(2020, [16, 26, 41, 55, 69, 86, 103, 151, 196], "tropycal"),
    row(2019, [16, 26, 41, 54, 68, null, 102, 151, 198], "tropycal", "HurricaneMap"),
    row(2018, [16, 26, 43, 56, 74, null, 103, 151, 198], "tropycal", "HurricaneMap"),
    row(2017, [16, 29, 45, 63, 78, null, 107, 159, 211], "tropycal", "HurricaneMap"),
    row(2016, [16, 30, 49, 66, 84, null, 115, 165, 237], "tropycal", "HurricaneMap"),
    row(2015, [16, 32, 52, 71, 90, null, 122, 170, 225], "tropycal", "HurricaneMap"),
    row(2014, [16, 33, 52, 72, 92, null, 125, 170, 226], "tropycal"),
    row(2013, [16, 33, 52, 72, 92, null, 128, 177, 229], "tropycal"),
    row(2012, [16, 36, 56, 75, 95, null, 141, 180, 236], "tropycal"),
    row(2011, [16, 36, 59, 79, 98, null, 144, 190, 239], "tropycal"),
    row(2010, [16, 36, 62, 85, 108, null, 161, 220, 285], "tropycal"),
    row(2009, [16, 36, 62, 89, 111, null, 167, 230, 302], "tropycal"),
    row(2008, [16, 39, 67, 92, 118, null, 170, 233, 305], "tropycal"),
  ],
  east_pacific: [
    row(2026, [16, 25, 37, 48, 56, 66, 78, 106, 138], "tropycal", "HurricaneMap", "NHC cone polygon of Nolo"),
    row(2025, [16, 26, 38, 50, 59, 71, 83, 113, 146], "tropycal", "HurricaneMap"),
    row(2024, [16, 26, 39, 53, 65, 76, 92, 119, 152], "tropycal", "a published map"),
    row(2023, [16, 25, 38, 51, 63, 78, 86, 110, 137], "tropycal", "hwn.org"),
    row(2022, [16, 25, 38, 51, 65, 79, 93, 120, 146], "tropycal"),
    row(2021, [16, 25, 37, 51, 64, 77, 89, 114, 138], "tropycal"),
    row(2020, [16, 25, 38, 51, 65, 78, 91, 115, 138], "tropycal"),
    row(2019, [16, 25, 38, 48, 62, null, 88, 115, 145], "tropycal", "HurricaneMap"),
    row(2018, [16, 25, 39, 50, 66, null, 94, 125, 162], "tropycal", "HurricaneMap"),
    row(2017, [16, 25, 40, 51, 66, null, 93, 116, 151], "tropycal", "HurricaneMap"),
    row(2016, [16, 27, 42, 55, 70, null, 100, 137, 172], "tropycal", "HurricaneMap"),
    row(2015, [16, 26, 42, 54, 69, null, 100, 143, 182], "tropycal", "HurricaneMap"),
    row(2014, [16, 30, 46, 62, 79, null, 105, 154, 190], "tropycal"),
    row(2013, [16, 30, 49, 66, 82, null, 111, 157, 197], "tropycal"),
    row(2012, [16, 33, 52, 72, 89, null, 121, 170, 216], "tropycal"),
    row(2011, [16, 33, 59, 79, 98, null, 134, 187, 230], "tropycal"),
    row(2010, [16, 36, 59, 82, 102, null, 138, 174, 220], "tropycal"),
    row(2009, [16, 36, 59, 85, 105, null, 148, 187, 230], "tropycal"),
    row(2008, [16, 36, 66, 92, 115, null, 161, 210, 256], "tropycal"),
  ],
  central_pacific: [
    row(2026, [null, 25, 37, 48, 56, 66, 78, 106, 138], "NHC cone page"),
    row(2024, [null, 34, 49, 66, 81, 95, 120, 137, 156], "a published map"),
    row(2023, [null, 34, 49, 66, 81, 95, 120, 137, 156], "hwn.org"),
  ],
} satisfies Record<string, readonly ConeRow[]>;

function row(year: number, miles: ConeRow["miles"], ...sources: ConeRow["sources"]): ConeRow {
  return { year, miles, sources, read: "2026-11-21" };
}
