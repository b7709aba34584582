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
  formatLength,
  formatLongDate,
  formatMinutes,
  formatMonthDay,
  formatMonths,
  formatShortTime,
  formatTime,
  formatWeekdayDay,
} from "./format-time.ts";

const time = parseInstant("2011-01-15T12:00:00Z");
const runTime = parseInstant("2011-01-10T12:00:00Z");
const date = (year: number, month: number, day = 1) => ({ year, month, day });

it("writes times before a run, dates, spans of months and the days of the time bar", () => {
  expect([
    formatTime(time, time + 3600, utc),
    formatBarDay(date(2024, 2, 29), en),
    formatMonths(date(2023, 9), date(2026, 6), en),
    formatMonths(date(2026, 9), date(2026, 9, 25), en),
  ]).toEqual(["Sat 15 Jan 2011 12:00 UTC (T−1 h)", "Thu 29", "Sep 2023 to Jun 2026", "Sep 2026"]);
});

it("writes how far a time is from now, in minutes up to 90", () => {
  const hours = [20 / 3600, 6, -47, 240, -1001 * 24].map((by) => formatAge(3600 * by, 0, en));
  expect(hours).toEqual(["now", "in 6 h", "47 h ago", "in 10 d", "1,001 d ago"]);
  const minutes = [0, -0.9, 0.9, -1, 20, -89.5, -90, 130, 3000].map((by) => formatMinutes(60 * by, 0, en));
  expect(minutes.slice(0, 5)).toEqual(["just now", "just now", "now", "1 min ago", "in 20 min"]);
  expect(minutes.slice(5)).toEqual(["89 min ago", "2 h ago", "in 2 h", "in 2 d"]);
});

it("writes how long something lasts in the form that stands alone", () => {
  expect([de, en, fr].map((words) => formatLength(3 * 86_400, words))).toEqual(["3 Tage", "3 d", "3 jours"]);
  expect(formatLength(47 * 3600, de)).toBe("47 h");
});

it.each([
  [en, "Sat 15 Jan 2011 12:00 UTC (T+120 h)", "Sat 15 Jan 12:00", "15 Jan", "Sat 15"],
  [fr, "sam. 15 janv. 2011 12:00 UTC (T+120 h)", "sam. 15 janv. 12:00", "15 janv.", "sam. 15"],
  [es, "sáb 15 ene 2011 12:00 UTC (T+120 h)", "sáb 15 ene 12:00", "15 ene", "sáb 15"],
  [de, "Sa 15. Jan. 2011 12:00 UTC (T+120 h)", "Sa 15. Jan. 12:00", "15. Jan.", "Sa 15."],
  [pt, "sáb 15 jan 2011 12:00 UTC (T+120 h)", "sáb 15 jan 12:00", "15 jan", "sáb 15"],
  [ja, "2011年1月15日(土) 12:00 UTC (T+120 h)", "1月15日(土) 12:00", "1月15日", "15(土)"],
  [zh, "2011年1月15日 周六 12:00 UTC (T+120 h)", "1月15日 周六 12:00", "1月15日", "15 周六"],
])("writes times in the order of the language", (words, ...texts) => {
  const zone = { ...utc, words };
  const forms = [formatShortTime, formatMonthDay, formatWeekdayDay].map((form) => form(time, zone));
  expect([formatTime(time, runTime, zone), ...forms]).toEqual(texts);
});

it.each([
  [en, "Saturday 1 January 2011", "Jun to Sep 2026", "in 3 d", "25 min ago"],
  [fr, "samedi 1er janvier 2011", "de juin à sept. 2026", "dans 3 jours", "il y a 25 min"],
  [es, "sábado, 1 de enero de 2011", "de jun a sept 2026", "dentro de 3 días", "hace 25 min"],
  [de, "Samstag, 1. Januar 2011", "Juni bis Sept. 2026", "in 3 Tagen", "vor 25 min"],
  [pt, "sábado, 1 de janeiro de 2011", "de jun a set 2026", "em 3 dias", "há 25 min"],
  [ja, "2011年1月1日土曜日", "2026年6月～9月", "3日後", "25分前"],
  [zh, "2011年1月1日星期六", "2026年6月至9月", "3天后", "25分钟前"],
])("writes dates, months and ages in the order of the language", (words, ...texts) => {
  expect([
    formatLongDate(date(2011, 1), words),
    formatMonths(date(2026, 6), date(2026, 9), words),
    formatAge(time + 72 * 3600, time, words),
    formatMinutes(time, time + 1500, words),
  ]).toEqual(texts);
});
