import { describe, expect, it } from "vitest";
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

// A Monday.
const NOW = "2026-11-23T07:20:00Z";
const berlin = regionalZone("Europe/Berlin");
const kolkata = regionalZone("Asia/Kolkata");

function meant(text: string, zone: Zone = utc, now = NOW, shown = "2026-11-23T09:00:00Z"): string {
  const result = parseTimeText(text, { now: parseInstant(now), shown: parseInstant(shown), zone });
  return "fault" in result
    ? result.fault
    : [formatInstant(result.time), result.oddity].filter(Boolean).join(" ");
}

describe("in UTC", () => {
  it.each([
    ["now", "2026-11-23T07:00:00Z"],
    ["+12h", "2026-11-23T19:00:00Z"],
    ["now +12 h", "2026-11-23T19:00:00Z"],
    ["-3d", "2026-11-20T07:00:00Z"],
    ["−3d", "2026-11-20T07:00:00Z"],
    ["+1w", "2026-11-30T07:00:00Z"],
    ["in 2 days", "2026-11-25T07:00:00Z"],
    ["6 hours ago", "2026-11-23T01:00:00Z"],
    ["tomorrow 18:00", "2026-11-24T18:00:00Z"],
    ["Tomorrow at 6 pm", "2026-11-24T18:00:00Z"],
    ["tomorrow", "2026-11-24T09:00:00Z"],
    ["yesterday 24:00", "2026-11-23T00:00:00Z"],
    ["day after tomorrow noon", "2026-11-25T12:00:00Z"],
    ["tonight", "2026-11-23T21:00:00Z"],
    ["tonight 8", "2026-11-23T20:00:00Z"],
    // After midnight it is tomorrow.
    ["tonight 2", "2026-11-24T02:00:00Z"],
    ["tonight 2:30 am", "2026-11-24T02:30:00Z"],
    ["tonight 12", "2026-11-24T00:00:00Z"],
    ["tonight midnight", "2026-11-24T00:00:00Z"],
    ["tonight 24:00", "2026-11-24T00:00:00Z"],
    ["fri 6", "2026-11-27T06:00:00Z"],
    ["Friday 06:30", "2026-11-27T06:30:00Z"],
    ["weds 6h", "2026-11-25T06:00:00Z"],
    ["last thursday 1800", "2026-11-19T18:00:00Z"],
    // It is Monday, 07:20.
    ["mon 6", "2026-11-30T06:00:00Z"],
    ["mon 8", "2026-11-23T08:00:00Z"],
    ["next mon 8", "2026-11-30T08:00:00Z"],
    ["mon", "2026-11-23T09:00:00Z"],
    ["18", "2026-11-23T18:00:00Z"],
    ["18h", "2026-11-23T18:00:00Z"],
    ["18h30", "2026-11-23T18:30:00Z"],
    ["12 am", "2026-11-23T00:00:00Z"],
    ["2026-11-24 18:00", "2026-11-24T18:00:00Z"],
    ["2026-11-24T18:00:00Z", "2026-11-24T18:00:00Z"],
    ["2026-11-24", "2026-11-24T09:00:00Z"],
    ["24.11. 18h", "2026-11-24T18:00:00Z"],
    ["24.11 18", "2026-11-24T18:00:00Z"],
    ["24.11.2024 18:00", "2024-11-24T18:00:00Z"],
    ["24/11/25 18:00", "2025-11-24T18:00:00Z"],
    ["24 nov 18:00", "2026-11-24T18:00:00Z"],
    ["November 24, 2025 18z", "2025-11-24T18:00:00Z"],
    ["nov 24 18", "2026-11-24T18:00:00Z"],
    ["Tue 15 Sep 2026 12:00 UTC (+6 h)", "2026-09-15T12:00:00Z"],
    ["Tue 15 Sep 2026 12:00 UTC (T+6 h)", "2026-09-15T12:00:00Z"],
    ["tue 24.11. 18h", "2026-11-24T18:00:00Z"],
    // The nearest year, over New Year and to a leap day.
    ["2.1. 6h", "2027-01-02T06:00:00Z"],
    ["1 jul", "2026-07-01T09:00:00Z"],
    ["29.2.", "2024-02-29T09:00:00Z"],
    ["29 feb 2024 6", "2024-02-29T06:00:00Z"],
  ])("%s", (text, time) => {
    expect(meant(text)).toBe(time);
  });

  it.each([
    ["", "unknown"],
    ["soon", "unknown"],
    ["25:00", "unknown"],
    ["18:60", "unknown"],
    ["13 pm", "unknown"],
    ["tomorrow soon", "unknown"],
    ["fri 6 or 7", "unknown"],
    ["29.2.2026", "no-such-date"],
    ["31 apr 12h", "no-such-date"],
    ["24.13.", "no-such-date"],
    ["2026-00-10", "no-such-date"],
  ])("says why %j means nothing", (text, fault) => {
    expect(meant(text)).toBe(fault);
  });

  it("takes an hour of the night as the next one", () => {
    expect(meant("tonight 2", utc, "2026-11-23T01:00:00Z")).toBe("2026-11-23T02:00:00Z");
    expect(meant("tonight 2", utc, "2026-11-23T22:00:00Z")).toBe("2026-11-24T02:00:00Z");
    // What has passed of the evening is that of today.
    expect(meant("tonight 8", utc, "2026-11-23T22:00:00Z")).toBe("2026-11-23T20:00:00Z");
  });

  it("takes a day without a year over New Year as the nearest one", () => {
    expect(meant("1.1. 6h", utc, "2026-12-30T12:00:00Z")).toBe("2027-01-01T06:00:00Z");
    expect(meant("30 dec 6", utc, "2027-01-02T12:00:00Z")).toBe("2026-12-30T06:00:00Z");
    expect(meant("tomorrow 6", utc, "2026-12-31T12:00:00Z")).toBe("2027-01-01T06:00:00Z");
    expect(meant("tomorrow 6", utc, "2028-02-28T12:00:00Z")).toBe("2028-02-29T06:00:00Z");
  });
});

describe("by another clock", () => {
  it("takes hours and days of that clock, and UTC where the text says so", () => {
    expect(meant("tomorrow 18:00", berlin)).toBe("2026-11-24T17:00:00Z");
    expect(meant("tomorrow 18z", berlin)).toBe("2026-11-24T18:00:00Z");
    expect(meant("tomorrow 18:00 UTC", berlin)).toBe("2026-11-24T18:00:00Z");
    expect(meant("15 sep 2026 12:00 UTC−3:30", berlin)).toBe("2026-09-15T15:30:00Z");
    expect(meant("tomorrow 18:00", kolkata)).toBe("2026-11-24T12:30:00Z");
    // 00:30 of the 24th over there.
    expect(meant("today 6", kolkata, "2026-11-23T19:00:00Z")).toBe("2026-11-24T00:30:00Z");
    expect(meant("+12h", kolkata)).toBe("2026-11-23T19:00:00Z");
  });

  it("says where the clock is put forward or back, and keeps it by days", () => {
    expect(meant("29.3.2026 2:30", berlin)).toBe("2026-03-29T01:30:00Z skipped");
    expect(meant("25.10.2026 2:30", berlin)).toBe("2026-10-25T00:30:00Z twice");
    expect(meant("+1d", berlin, "2026-03-28T11:00:00Z")).toBe("2026-03-29T10:00:00Z");
    expect(meant("+24h", berlin, "2026-03-28T11:00:00Z")).toBe("2026-03-29T11:00:00Z");
    expect(meant("tomorrow 12", berlin, "2026-03-28T11:00:00Z")).toBe("2026-03-29T10:00:00Z");
  });
});

const now = parseInstant("2026-11-23T07:20:00Z");
const shown = parseInstant("2026-11-23T09:00:00Z");

function meantIn(text: string, words: Words): string {
  const result = parseTimeText(text, { now, shown, zone: { ...utc, words } });
  return "fault" in result ? result.fault : formatInstant(result.time);
}

const sameInAll = {
  now: { fr: "maintenant", es: "ahora", de: "Jetzt", pt: "agora", ja: "現在", zh: "现在" },
  "+6h": { fr: "+6 h", es: "+6 horas", de: "+6 Std.", pt: "+6 h", ja: "＋６時間", zh: "+6小时" },
  "-3d": { fr: "−3 j", es: "-3 días", de: "-3 Tage", pt: "-3 dias", ja: "-3日", zh: "-3天" },
  "in 2 days": {
    fr: "dans 2 jours",
    es: "dentro de 2 días",
    de: "in 2 Tagen",
    pt: "daqui a 2 dias",
    ja: "2日後",
    zh: "2天后",
  },
  "6 hours ago": {
    fr: "il y a 6 heures",
    es: "hace 6 horas",
    de: "vor 6 Stunden",
    pt: "6 horas atrás",
    ja: "6時間前",
    zh: "6个小时前",
  },
  "in 2 weeks": {
    fr: "dans 2 semaines",
    es: "en 2 semanas",
    de: "in 2 Wochen",
    pt: "em 2 semanas",
    ja: "2週間後",
    zh: "2周后",
  },
  "tomorrow 18:00": {
    fr: "demain à 18 h",
    es: "mañana 18:00",
    de: "morgen 18 Uhr",
    pt: "amanhã 18h",
    ja: "明日18時",
    zh: "明天18点",
  },
  "tomorrow 18:30": {
    fr: "demain 18h30",
    es: "mañana a las 18.30",
    de: "morgen um 18 Uhr 30",
    pt: "amanhã às 18h30",
    ja: "明日の18時30分",
    zh: "明天18点半",
  },
  "tomorrow 6 pm": {
    fr: "demain soir 6 h",
    es: "mañana a las 6 de la tarde",
    de: "morgen Abend 6 Uhr",
    pt: "amanhã à tarde 6h",
    ja: "明日 午後6時",
    zh: "明天下午6点",
  },
  "tonight 8 pm": {
    fr: "ce soir à 8 h",
    es: "esta noche a las 8",
    de: "heute Abend 20 Uhr",
    pt: "hoje à noite 8h",
    ja: "今夜8時",
    zh: "今晚8点",
  },
  "day after tomorrow noon": {
    fr: "après-demain midi",
    es: "pasado mañana al mediodía",
    de: "übermorgen Mittag",
    pt: "depois de amanhã ao meio-dia",
    ja: "あさっての正午",
    zh: "后天中午",
  },
  "yesterday 6": {
    fr: "hier 6h",
    es: "ayer 6h",
    de: "gestern 6 Uhr",
    pt: "ontem 6h",
    ja: "昨日6時",
    zh: "昨天6点",
  },
  "tue 6": { fr: "mar. 6h", es: "mar 6", de: "Di 6", pt: "terça 6h", ja: "火曜6時", zh: "周二6点" },
  "friday 6": {
    fr: "vendredi 6 h",
    es: "el viernes a las 6",
    de: "am Freitag um 6 Uhr",
    pt: "sexta-feira às 6h",
    ja: "金曜日の6時",
    zh: "星期五6点",
  },
  "next friday 6": {
    fr: "vendredi prochain 6h",
    es: "viernes que viene 6h",
    de: "nächsten Freitag 6 Uhr",
    pt: "próxima sexta 6h",
    ja: "次の金曜 6時",
    zh: "下一个周五6点",
  },
  "next week friday 6": {
    fr: "vendredi de la semaine prochaine 6h",
    es: "viernes de la próxima semana 6h",
    de: "nächste Woche Freitag 6 Uhr",
    pt: "sexta da próxima semana 6h",
    ja: "来週金曜6時",
    zh: "下周五6点",
  },
  "15 jan 2027 18:00": {
    fr: "15 janvier 2027 à 18h",
    es: "15 de enero de 2027 a las 18",
    de: "15. Januar 2027, 18 Uhr",
    pt: "15 de janeiro de 2027 às 18h",
    ja: "2027年1月15日(金) 18時",
    zh: "2027年1月15日 周五 18时",
  },
  "1 mar 18:00": {
    fr: "1er mars 18h",
    es: "1 mar 18h",
    de: "1. Mär 18 Uhr",
    pt: "1 mar 18h",
    ja: "3/1 18時",
    zh: "3月1号18点",
  },
};

const languages = { fr, es, de, pt, ja, zh };

describe.each(Object.entries(sameInAll))("as %s in English:", (english, texts) => {
  it.each(Object.entries(texts))("%s: %s", (language, text) => {
    const words = languages[language as keyof typeof languages];
    const expected = meantIn(english, en);
    expect(expected).toMatch(/^20/);
    expect(meantIn(text, words)).toBe(expected);
    expect(meantIn(english, words)).toBe(expected);
  });
});

it("takes days of the week as those of the language: next week's, over the weekend", () => {
  expect(meantIn("下周日 8点", zh)).toBe("2026-12-06T08:00:00Z");
  expect(meantIn("先週の日曜 8時", ja)).toBe("2026-11-22T08:00:00Z");
  expect(meantIn("nächste Woche Montag", de)).toBe("2026-11-30T09:00:00Z");
});

it("puts the day before the month but where the language does not", () => {
  expect(meantIn("2/12", es)).toBe("2026-12-02T09:00:00Z");
  expect(meantIn("2/12", ja)).toBe("2027-02-12T09:00:00Z");
  expect(meantIn("24/11", zh)).toBe("2026-11-24T09:00:00Z");
});

it.each(Object.values({ en, ...languages }))("understands what the page writes", (words) => {
  const zone = { ...utc, words };
  for (let day = 0; day < 366; day += 13) {
    const time = parseInstant("2026-06-01T17:30:00Z") + day * 86400;
    const date = civilOf(time, zone);
    expect(meantIn(formatTime(time, now, zone), words)).toBe(formatInstant(time));
    expect(meantIn(`${formatLongDate(date, words)} 17:30`, words)).toBe(formatInstant(time));
    if (Math.abs(time - now) < 170 * 86400)
      expect(meantIn(formatShortTime(time, zone), words)).toBe(formatInstant(time));
  }
});

it("says in any language why a text means nothing", () => {
  expect(meantIn("demain bientôt", fr)).toBe("unknown");
  expect(meantIn("20分", ja)).toBe("unknown");
  expect(meantIn("2月30日", zh)).toBe("no-such-date");
  expect(meantIn("31 avril", fr)).toBe("no-such-date");
  expect(meantIn("25 Uhr", de)).toBe("unknown");
});

it.each(Object.values({ en, ...languages }))("understands what the field for a time suggests", (words) => {
  const { examples, placeholder, faults } = words.time.field;
  const times = [placeholder, ...examples].map((text) => [text, meantIn(text, words)]);
  expect(times.filter(([, time]) => !time?.startsWith("20"))).toEqual([]);
  expect(faults.unknown).toContain(placeholder);
});
