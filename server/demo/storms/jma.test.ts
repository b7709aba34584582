import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeWithSamples } from "#test/samples.ts";
import { demoJma } from "./jma.ts";

const HOUR = 3600;
const now = Date.parse("2026-09-11T05:00:00Z") / 1000;

interface Part {
  advancedHours?: number;
  maximumWind?: { sustained: { kt: string } };
  position?: { deg: [number, number] };
  pressure?: string;
  probabilityCircle?: { radius: number };
  track?: { preTyphoon: unknown[]; typhoon: unknown[] };
  [key: string]: unknown;
}

it("lists a typhoon west of 180° and a depression without a name, and always the depression", () => {
  let typhoons = 0;
  for (let step = 0; step < 60; step++) {
    const { targetTc, bulletins } = demoJma(1, now + step * 62 * HOUR);
    const listed = JSON.parse(targetTc) as { tropicalCyclone: string; typhoonNumber: string }[];
    expect(listed.map((one) => one.tropicalCyclone)).toEqual(Object.keys(bulletins));
    expect(listed.at(-1)!.typhoonNumber).toBe("a");
    const depression = JSON.parse(bulletins[listed.at(-1)!.tropicalCyclone]!.specifications) as Part[];
    expect(depression[0]).not.toHaveProperty("name");
    for (const part of depression.slice(1)) expect(part).not.toHaveProperty("maximumWind");
    typhoons += listed.length - 1;
  }
  // The antimeridian storm is in the area for about two thirds of its cycle.
  expect(typhoons).toBeGreaterThan(30);
  expect(typhoons).toBeLessThan(50);
});

it("writes the expected bulletin", () => {
  const { targetTc, bulletins } = demoJma(1, now);
  expect(JSON.parse(targetTc)).toMatchInlineSnapshot(`
    [
      {
        "category": "TY",
        "issue": "2026-09-11T09:50:00+09:00",
        "tropicalCyclone": "TC2621",
        "typhoonNumber": "2621",
      },
      {
        "category": "TD",
        "issue": "2026-09-11T09:50:00+09:00",
        "tropicalCyclone": "TC2670",
        "typhoonNumber": "a",
      },
    ]
  `);
  const { specifications, forecast } = Object.values(bulletins)[0]!;
  const specified = JSON.parse(specifications) as Part[];
  const drawn = JSON.parse(forecast) as Part[];
  expect(specified.slice(0, 3)).toMatchInlineSnapshot(`
    [
      {
        "category": {
          "en": "TY",
          "jp": "台風",
        },
        "issue": {
          "JST": "2026-09-11T09:50:00+09:00",
          "UTC": "2026-09-11T00:50:00Z",
        },
        "name": {
          "en": "Demopier",
          "jp": "デモ",
        },
        "part": "title",
        "typhoonNumber": "2621",
      },
      {
        "advancedHours": 0,
        "category": {
          "en": "TY",
          "jp": "台風",
        },
        "course": "西北西",
        "galeWarning": [
          {
            "area": "北",
            "range": {
              "km": 250,
              "nm": 135,
            },
          },
          {
            "area": "南",
            "range": {
              "km": 205,
              "nm": 110,
            },
          },
        ],
        "intensity": "猛烈な",
        "location": "太平洋",
        "maximumWind": {
          "gust": {
            "kt": "155",
            "m/s": "80",
          },
          "sustained": {
            "kt": "110",
            "m/s": "55",
            "note": "中心付近",
          },
        },
        "part": {
          "en": "Analysis",
          "jp": "実況",
        },
        "position": {
          "deg": [
            18.2,
            167.1,
          ],
          "dm": [
            [
              18,
              10,
            ],
            [
              167,
              5,
            ],
          ],
        },
        "pressure": "944",
        "scale": "-",
        "speed": {
          "km/h": "20",
          "kt": "10",
        },
        "stormWarning": [
          {
            "area": {
              "en": "All",
              "jp": "全域",
            },
            "range": {
              "km": 110,
              "nm": 60,
            },
          },
        ],
        "validtime": {
          "JST": "2026-09-11T09:00:00+09:00",
          "UTC": "2026-09-11T00:00:00Z",
        },
      },
      {
        "advancedHours": 12,
        "category": {
          "en": "TY",
          "jp": "台風",
        },
        "course": "北西",
        "intensity": "猛烈な",
        "location": "太平洋",
        "maximumWind": {
          "gust": {
            "kt": "155",
            "m/s": "80",
          },
          "sustained": {
            "kt": "110",
            "m/s": "55",
            "note": "中心付近",
          },
        },
        "part": {
          "en": "Forecast for 12 hours ahead",
          "jp": "予報　１２時間後",
        },
        "position": {
          "deg": [
            19.4,
            165.3,
          ],
          "dm": [
            [
              19,
              25,
            ],
            [
              165,
              20,
            ],
          ],
        },
        "pressure": "947",
        "probabilityCircleRadius": {
          "km": 55,
          "nm": 30,
        },
        "speed": {
          "km/h": "20",
          "kt": "10",
        },
        "stormWarning": [
          {
            "area": {
              "en": "All",
              "jp": "全域",
            },
            "range": {
              "km": 165,
              "nm": 90,
            },
          },
        ],
        "validtime": {
          "JST": "2026-09-11T21:00:00+09:00",
          "UTC": "2026-09-11T12:00:00Z",
        },
      },
    ]
  `);
  expect(drawn.map((part) => ({ ...part, track: part.track?.typhoon.length }))[1]).toMatchInlineSnapshot(`
    {
      "advancedHours": 0,
      "center": [
        18.2,
        167.1,
      ],
      "galeWarningArea": {
        "center": [
          18.4,
          167.1,
        ],
        "radius": 226870,
      },
      "part": {
        "en": "Analysis",
        "jp": "実況",
      },
      "stormWarningArea": {
        "arc": [
          [
            [
              18.2,
              167.1,
            ],
            111120,
            [
              0,
              360,
            ],
          ],
        ],
      },
      "track": 27,
      "validtime": {
        "JST": "2026-09-11T09:00:00+09:00",
        "UTC": "2026-09-11T00:00:00Z",
      },
    }
  `);
  expect(drawn[3]).toMatchInlineSnapshot(`
    {
      "advancedHours": 24,
      "center": [
        20.7,
        163.6,
      ],
      "part": {
        "en": "Forecast for 24 hours ahead",
        "jp": "予報　２４時間後",
      },
      "probabilityCircle": {
        "radius": 92600,
      },
      "validtime": {
        "JST": "2026-09-12T09:00:00+09:00",
        "UTC": "2026-09-12T00:00:00Z",
      },
    }
  `);
});

it("makes the warning area of a forecast as wide as its 50 kt wind plus its circle", () => {
  for (const { specifications } of Object.values(demoJma(1, now).bulletins)) {
    for (const part of (JSON.parse(specifications) as Part[]).slice(2)) {
      const warning = part.stormWarning as [{ range: { nm: number } }] | undefined;
      const circle = (part.probabilityCircleRadius as { nm: number }).nm;
      if (warning) expect(warning[0].range.nm).toBeGreaterThan(circle);
    }
  }
});

describeWithSamples("against real bulletins", (samples) => {
  it("uses no key that the feed does not", () => {
    const keys = (value: unknown, path = ""): string[] => {
      if (Array.isArray(value)) return value.flatMap((one) => keys(one, path));
      if (value === null || typeof value !== "object") return [path];
      return Object.entries(value).flatMap(([key, inner]) => keys(inner, `${path}.${key}`));
    };
    const folder = join(samples, "jma/bulletins");
    const known = new Set(
      readdirSync(folder).flatMap((name) => {
        const real = JSON.parse(readFileSync(join(folder, name), "utf8")) as {
          snapshots: { specifications: unknown; forecast: unknown }[];
        };
        return real.snapshots.flatMap((one) => keys([one.specifications, one.forecast]));
      }),
    );
    for (const bulletin of Object.values(demoJma(1, now).bulletins)) {
      for (const key of keys([JSON.parse(bulletin.specifications), JSON.parse(bulletin.forecast)])) {
        expect(known, key).toContain(key);
      }
    }
  });
});
