import { expect, it } from "vitest";
import { de } from "#lib/messages/generated/de.ts";
import { en } from "#lib/messages/generated/en.ts";
import { es } from "#lib/messages/generated/es.ts";
import { fr } from "#lib/messages/generated/fr.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { pt } from "#lib/messages/generated/pt.ts";
import { zh } from "#lib/messages/generated/zh.ts";
import type { Words } from "#lib/messages/words.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { regionalZone } from "#test/zones.ts";
import { civilOf, utc, type Zone } from "./civil.ts";
import { formatLongDate, formatShortTime, formatTime } from "./format-time.ts";
import { parseTimeText } from "./parse-time.ts";

// The reference time is a Monday.
const NOW = "2026-11-23T07:20:00Z";
const berlin = regionalZone("Europe/Berlin");
const kolkata = regionalZone("Asia/Kolkata");

/** The meaning of a text: an instant with its irregularity, or the reason why it has none. */
function meant(text: string, zone: Zone = utc, now = NOW): string {
  const shown = parseInstant("2026-11-23T09:00:00Z");
  const result = parseTimeText(text, { now: parseInstant(now), shown, zone });
  return "fault" in result
    ? result.fault
    : [formatInstant(result.time), result.oddity].filter(Boolean).join(" ");
}
const meantIn = (text: string, words: Words) => meant(text, { ...utc, words });

it.each([
  ["now", "2026-11-23T07:00"],
  ["+12h", "2026-11-23T19:00"],
  ["now +12 h", "2026-11-23T19:00"],
  ["−3d", "2026-11-20T07:00"],
  ["+1w", "2026-11-30T07:00"],
  ["in 2 days", "2026-11-25T07:00"],
  ["6 hours ago", "2026-11-23T01:00"],
  ["tomorrow 18:00", "2026-11-24T18:00"],
  ["Tomorrow at 6 pm", "2026-11-24T18:00"],
  ["tomorrow", "2026-11-24T09:00"],
  ["yesterday 24:00", "2026-11-23T00:00"],
  ["day after tomorrow noon", "2026-11-25T12:00"],
  ["tonight", "2026-11-23T21:00"],
  ["tonight 8", "2026-11-23T20:00"],
  // Hours after midnight belong to the next day.
  ["tonight 2", "2026-11-24T02:00"],
  ["tonight 2:30 am", "2026-11-24T02:30"],
  ["tonight 12", "2026-11-24T00:00"],
  ["tonight midnight", "2026-11-24T00:00"],
  ["tonight 24:00", "2026-11-24T00:00"],
  ["fri 6", "2026-11-27T06:00"],
  ["Friday 06:30", "2026-11-27T06:30"],
  ["weds 6h", "2026-11-25T06:00"],
  ["last thursday 1800", "2026-11-19T18:00"],
  // It is Monday, 07:20.
  ["mon 6", "2026-11-30T06:00"],
  ["mon 8", "2026-11-23T08:00"],
  ["next mon 8", "2026-11-30T08:00"],
  ["mon", "2026-11-23T09:00"],
  ["18", "2026-11-23T18:00"],
  ["18h30", "2026-11-23T18:30"],
  ["12 am", "2026-11-23T00:00"],
  ["2026-11-24T18:00:00Z", "2026-11-24T18:00"],
  ["2026-11-24", "2026-11-24T09:00"],
  ["24.11. 18h", "2026-11-24T18:00"],
  ["24.11 18", "2026-11-24T18:00"],
  ["24.11.2024 18:00", "2024-11-24T18:00"],
  ["24/11/25 18:00", "2025-11-24T18:00"],
  ["24 nov 18:00", "2026-11-24T18:00"],
  ["November 24, 2025 18z", "2025-11-24T18:00"],
  ["nov 24 18", "2026-11-24T18:00"],
  ["Tue 15 Sep 2026 12:00 UTC (T+6 h)", "2026-09-15T12:00"],
  // The nearest year is used, across New Year and for a leap day.
  ["2.1. 6h", "2027-01-02T06:00"],
  ["1 jul", "2026-07-01T09:00"],
  ["29.2.", "2024-02-29T09:00"],
  ["29 feb 2024 6", "2024-02-29T06:00"],
])("%s is %s", (text, time) => {
  expect(meant(text)).toBe(`${time}:00Z`);
});

it.each([
  ...["", "soon", "25:00", "18:60", "13 pm", "tomorrow soon", "fri 6 or 7"].map(
    (text) => [text, "unknown", en] as const,
  ),
  ...["29.2.2026", "31 apr 12h", "24.13.", "2026-00-10"].map((text) => [text, "no-such-date", en] as const),
  ["demain bientôt", "unknown", fr],
  ["20分", "unknown", ja],
  ["25 Uhr", "unknown", de],
  ["2月30日", "no-such-date", zh],
  ["31 avril", "no-such-date", fr],
] as const)("says why %j means nothing: %s", (text, fault, words) => {
  expect(meantIn(text, words)).toBe(fault);
});

it.each([
  // An hour after midnight is the next one; an evening hour that has passed is that of today.
  ["tonight 2", utc, "2026-11-23T01:00", "2026-11-23T02:00:00Z"],
  ["tonight 2", utc, "2026-11-23T22:00", "2026-11-24T02:00:00Z"],
  ["tonight 8", utc, "2026-11-23T22:00", "2026-11-23T20:00:00Z"],
  // Across New Year a day without a year is the nearest one.
  ["1.1. 6h", utc, "2026-12-30T12:00", "2027-01-01T06:00:00Z"],
  ["30 dec 6", utc, "2027-01-02T12:00", "2026-12-30T06:00:00Z"],
  ["tomorrow 6", utc, "2028-02-28T12:00", "2028-02-29T06:00:00Z"],
  // Hours and days are those of the page's time zone, or of UTC if the text says so.
  ["tomorrow 18:00", berlin, "2026-11-23T07:20", "2026-11-24T17:00:00Z"],
  ["tomorrow 18z", berlin, "2026-11-23T07:20", "2026-11-24T18:00:00Z"],
  ["tomorrow 18:00 UTC", berlin, "2026-11-23T07:20", "2026-11-24T18:00:00Z"],
  ["15 sep 2026 12:00 UTC−3:30", berlin, "2026-11-23T07:20", "2026-09-15T15:30:00Z"],
  ["tomorrow 18:00", kolkata, "2026-11-23T07:20", "2026-11-24T12:30:00Z"],
  // It is 00:30 on the 24th in that zone.
  ["today 6", kolkata, "2026-11-23T19:00", "2026-11-24T00:30:00Z"],
  ["+12h", kolkata, "2026-11-23T07:20", "2026-11-23T19:00:00Z"],
  // Clock changes: a time may be skipped or occur twice; whole days keep the clock time.
  ["29.3.2026 2:30", berlin, "2026-11-23T07:20", "2026-03-29T01:30:00Z skipped"],
  ["25.10.2026 2:30", berlin, "2026-11-23T07:20", "2026-10-25T00:30:00Z twice"],
  ["+1d", berlin, "2026-03-28T11:00", "2026-03-29T10:00:00Z"],
  ["+24h", berlin, "2026-03-28T11:00", "2026-03-29T11:00:00Z"],
  ["tomorrow 12", berlin, "2026-03-28T11:00", "2026-03-29T10:00:00Z"],
])("takes %s by the clock of the page, at $2", (text, zone, now, time) => {
  expect(meant(text, zone, `${now}:00Z`)).toBe(time);
});

const languages = { fr, es, de, pt, ja, zh };
/** The same time in English and in each of `languages`. */
const sameTimes = `
now | maintenant | ahora | Jetzt | agora | 現在 | 现在
+6h | +6 h | +6 horas | +6 Std. | +6 h | ＋６時間 | +6小时
-3d | −3 j | -3 días | -3 Tage | -3 dias | -3日 | -3天
in 2 days | dans 2 jours | dentro de 2 días | in 2 Tagen | daqui a 2 dias | 2日後 | 2天后
6 hours ago | il y a 6 heures | hace 6 horas | vor 6 Stunden | 6 horas atrás | 6時間前 | 6个小时前
in 2 weeks | dans 2 semaines | en 2 semanas | in 2 Wochen | em 2 semanas | 2週間後 | 2周后
tomorrow 18:00 | demain à 18 h | mañana 18:00 | morgen 18 Uhr | amanhã 18h | 明日18時 | 明天18点
tomorrow 18:30 | demain 18h30 | mañana a las 18.30 | morgen um 18 Uhr 30 | amanhã às 18h30 | 明日の18時30分 | 明天18点半
tomorrow 6 pm | demain soir 6 h | mañana a las 6 de la tarde | morgen Abend 6 Uhr | amanhã à tarde 6h | 明日 午後6時 | 明天下午6点
tonight 8 pm | ce soir à 8 h | esta noche a las 8 | heute Abend 20 Uhr | hoje à noite 8h | 今夜8時 | 今晚8点
day after tomorrow noon | après-demain midi | pasado mañana al mediodía | übermorgen Mittag | depois de amanhã ao meio-dia | あさっての正午 | 后天中午
yesterday 6 | hier 6h | ayer 6h | gestern 6 Uhr | ontem 6h | 昨日6時 | 昨天6点
tue 6 | mar. 6h | mar 6 | Di 6 | terça 6h | 火曜6時 | 周二6点
friday 6 | vendredi 6 h | el viernes a las 6 | am Freitag um 6 Uhr | sexta-feira às 6h | 金曜日の6時 | 星期五6点
next friday 6 | vendredi prochain 6h | viernes que viene 6h | nächsten Freitag 6 Uhr | próxima sexta 6h | 次の金曜 6時 | 下一个周五6点
next week friday 6 | vendredi de la semaine prochaine 6h | viernes de la próxima semana 6h | nächste Woche Freitag 6 Uhr | sexta da próxima semana 6h | 来週金曜6時 | 下周五6点
15 jan 2027 18:00 | 15 janvier 2027 à 18h | 15 de enero de 2027 a las 18 | 15. Januar 2027, 18 Uhr | 15 de janeiro de 2027 às 18h | 2027年1月15日(金) 18時 | 2027年1月15日 周五 18时
1 mar 18:00 | 1er mars 18h | 1 mar 18h | 1. Mär 18 Uhr | 1 mar 18h | 3/1 18時 | 3月1号18点`;

it.each(
  sameTimes
    .trim()
    .split("\n")
    .map((row) => row.split(" | ")),
)("%s in English is the same in each language", (english, ...texts) => {
  const expected = meantIn(english!, en);
  expect(expected).toMatch(/^20/);
  for (const [index, words] of Object.values(languages).entries())
    expect([texts[index], english!].map((text) => meantIn(text!, words))).toEqual([expected, expected]);
});

it.each([
  // Expressions for days of the next and previous week, across the weekend.
  ["下周日 8点", zh, "2026-12-06T08:00:00Z"],
  ["先週の日曜 8時", ja, "2026-11-22T08:00:00Z"],
  ["nächste Woche Montag", de, "2026-11-30T09:00:00Z"],
  // The day precedes the month unless the language has it otherwise.
  ["2/12", es, "2026-12-02T09:00:00Z"],
  ["2/12", ja, "2027-02-12T09:00:00Z"],
  ["24/11", zh, "2026-11-24T09:00:00Z"],
])("takes %s by the customs of the language", (text, words, time) => {
  expect(meantIn(text, words)).toBe(time);
});

it.each(Object.values({ en, ...languages }))(
  "understands what the page writes and its field suggests",
  (words) => {
    const zone = { ...utc, words };
    const now = parseInstant(NOW);
    for (let day = 0; day < 366; day += 13) {
      const time = parseInstant("2026-06-01T17:30:00Z") + day * 86400;
      const texts = [formatTime(time, now, zone), `${formatLongDate(civilOf(time, zone), words)} 17:30`];
      if (Math.abs(time - now) < 170 * 86400) texts.push(formatShortTime(time, zone));
      for (const text of texts) expect(meantIn(text, words), text).toBe(formatInstant(time));
    }
    const { examples, placeholder, faults } = words.time.field;
    for (const text of [placeholder, ...examples]) expect(meantIn(text, words), text).toMatch(/^20/);
    expect(faults.unknown).toContain(placeholder);
  },
);
