import { expect, it } from "vitest";
import { de, en, fr, ja, zh } from "#test/all-words.ts";
import { wholeValues } from "./whole-values.ts";

it.each([
  [en, "Max 29 kn (Thu 00:00), gusts 36 kn, sea 5.1 m.", "Max 29_kn (Thu_00:00), gusts 36_kn, sea 5.1_m."],
  [en, "39 h 20 min · 1,148 n mi · 3 models", "39_h_20_min · 1,148_n_mi · 3 models"],
  [de, "Böen 36 kn, See 5,1 m, 2 Modelle", "Böen 36_kn, See 5,1_m, 2 Modelle"],
  [ja, "突風36 kt、波5.1 m。", "突風36_kt、波5.1_m。"],
  [ja, "36 ktを超え、最大38 kt。最も近い水面は2 海里先", "36_ktを超え、最大38_kt。最も近い水面は2_海里先"],
  [zh, "36 节以上，5.1 m以上", "36_节以上，5.1_m以上"],
  [
    en,
    "349 n mi, Sun 06:00 (end of forecast) in 3 d, 3 models",
    "349_n_mi, Sun_06:00 (end of forecast) in 3_d, 3 models",
  ],
  [en, "inside the winds, Sun 20 Sep 06:00.", "inside the winds, Sun_20_Sep_06:00."],
  [en, "5 Marked places; Sunday 06:00", "5 Marked places; Sunday 06:00"],
  [de, "Di 15. Sept. 06:00 (in 3 Tagen)", "Di_15._Sept._06:00 (in 3_Tagen)"],
  [fr, "dès dim. 1er sept. 06:00, dans 3 jours", "dès dim._1er_sept._06:00, dans 3_jours"],
  [ja, "最接近 143 海里、9月20日(日) 06:00、日 06:00", "最接近 143_海里、9月20日(日)_06:00、日_06:00"],
  [zh, "9月20日 周日 06:00起36 节", "9月20日_周日_06:00起36_节"],
])("keeps numbers and units, dates and times on one line", (words, text, whole) => {
  expect(wholeValues(text, words)).toBe(whole.replaceAll("_", "\u00a0"));
});
