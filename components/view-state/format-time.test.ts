import { expect, it } from "vitest";
import { de } from "#lib/messages/generated/de.ts";
import { en } from "#lib/messages/generated/en.ts";
import { es } from "#lib/messages/generated/es.ts";
import { fr } from "#lib/messages/generated/fr.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { pt } from "#lib/messages/generated/pt.ts";
import { zh } from "#lib/messages/generated/zh.ts";
import { parseInstant } from "#lib/time.ts";
import { utc } from "./civil.ts";
import {
  formatAge,
  formatBarDay,
  formatLongDate,
  formatMinutes,
  formatMonthDay,
  formatMonths,
  formatShortTime,
  formatTime,
  formatWeekdayDay,
} from "./format-time.ts";

it("writes times in UTC, with the hours since the run", () => {
  const time = parseInstant("2011-01-15T12:00:00Z");
  expect(formatShortTime(time, utc)).toBe("Sat 15 Jan 12:00");
  expect(formatTime(time, parseInstant("2011-01-10T12:00:00Z"), utc)).toBe(
    "Sat 15 Jan 2011 12:00 UTC (T+120 h)",
  );
  expect(formatTime(time, time + 3600, utc)).toBe("Sat 15 Jan 2011 12:00 UTC (T−1 h)");
});

it("writes how far a time is from now", () => {
  const hour = 3600;
  expect([20, 6 * hour, -47 * hour, 240 * hour, -1001 * 24 * hour].map((by) => formatAge(by, 0, en))).toEqual(
    ["now", "in 6 h", "47 h ago", "in 10 d", "1,001 d ago"],
  );
});

it("writes minutes up to 90", () => {
  const minutes = [0, -0.9, 0.9, -1, 20, -89.5, -90, 130, 3000];
  expect(minutes.map((by) => formatMinutes(60 * by, 0, en))).toEqual([
    "just now",
    "just now",
    "now",
    "1 min ago",
    "in 20 min",
    "89 min ago",
    "2 h ago",
    "in 2 h",
    "in 2 d",
  ]);
});

it("writes dates, spans of months and the days of the time bar", () => {
  const date = (year: number, month: number, day = 1) => ({ year, month, day });
  expect(formatLongDate(date(2024, 2, 29), en)).toBe("Thursday 29 February 2024");
  expect(formatBarDay(date(2024, 2, 29), en)).toBe("Thu 29");
  expect(formatMonths(date(2023, 9), date(2026, 6), en)).toBe("Sep 2023 to Jun 2026");
  expect(formatMonths(date(2026, 6), date(2026, 9), en)).toBe("Jun to Sep 2026");
  expect(formatMonths(date(2026, 9), date(2026, 9, 25), en)).toBe("Sep 2026");
});

it("writes times in the order of the language", () => {
  const time = parseInstant("2011-01-15T12:00:00Z");
  const runTime = parseInstant("2011-01-10T12:00:00Z");
  const texts = [fr, es, de, pt, ja, zh].map((words) => {
    const zone = { ...utc, words };
    return [
      formatTime(time, runTime, zone),
      formatShortTime(time, zone),
      formatMonthDay(time, zone),
      formatWeekdayDay(time, zone),
      formatLongDate({ year: 2011, month: 1, day: 1 }, words),
      formatMonths({ year: 2026, month: 6, day: 1 }, { year: 2026, month: 9, day: 1 }, words),
      formatAge(time + 72 * 3600, time, words),
      formatMinutes(time, time + 1500, words),
    ];
  });
  expect(texts).toEqual([
    [
      "sam. 15 janv. 2011 12:00 UTC (T+120 h)",
      "sam. 15 janv. 12:00",
      "15 janv.",
      "sam. 15",
      "samedi 1er janvier 2011",
      "de juin à sept. 2026",
      "dans 3 jours",
      "il y a 25 min",
    ],
    [
      "sáb 15 ene 2011 12:00 UTC (T+120 h)",
      "sáb 15 ene 12:00",
      "15 ene",
      "sáb 15",
      "sábado, 1 de enero de 2011",
      "de jun a sept 2026",
      "dentro de 3 días",
      "hace 25 min",
    ],
    [
      "Sa 15. Jan. 2011 12:00 UTC (T+120 h)",
      "Sa 15. Jan. 12:00",
      "15. Jan.",
      "Sa 15.",
      "Samstag, 1. Januar 2011",
      "Juni bis Sept. 2026",
      "in 3 Tagen",
      "vor 25 min",
    ],
    [
      "sáb 15 jan 2011 12:00 UTC (T+120 h)",
      "sáb 15 jan 12:00",
      "15 jan",
      "sáb 15",
      "sábado, 1 de janeiro de 2011",
      "de jun a set 2026",
      "em 3 dias",
      "há 25 min",
    ],
    [
      "2011年1月15日(土) 12:00 UTC (T+120 h)",
      "1月15日(土) 12:00",
      "1月15日",
      "15(土)",
      "2011年1月1日土曜日",
      "2026年6月～9月",
      "3日後",
      "25分前",
    ],
    [
      "2011年1月15日 周六 12:00 UTC (T+120 h)",
      "1月15日 周六 12:00",
      "1月15日",
      "15 周六",
      "2011年1月1日星期六",
      "2026年6月至9月",
      "3天后",
      "25分钟前",
    ],
  ]);
});
