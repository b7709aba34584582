import type { DatesWords } from "../en/dates.ts";
import { formatNumber } from "../number.ts";

const days = ["日", "月", "火", "水", "木", "金", "土"];
const longDays = ["日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"];
const months = ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"];

const shortMonth: DatesWords["shortMonth"] = ({ month, year }) => `${year}年${month}月`;

const typed: DatesWords["typed"] = {
  now: ["今", "現在"],
  today: ["今日", "本日"],
  tomorrow: ["明日", "あした", "あす"],
  tomorrowMorning: ["明朝", "明日の朝"],
  tomorrowEvening: ["明晩", "明日の夜", "明日の夕方"],
  afterTomorrow: ["明後日", "あさって"],
  yesterday: ["昨日", "きのう"],
  tonight: ["今夜", "今晩"],
  next: ["次の", "次"],
  last: ["前の"],
  lastWeek: ["先週"],
  thisWeek: ["今週"],
  nextWeek: ["来週"],
  ahead: ["後"],
  ago: ["前"],
  hours: ["時間", "時"],
  minutes: ["分"],
  days: ["日間"],
  weeks: ["週間"],
  am: ["午前", "朝"],
  pm: ["午後", "夕方", "夜"],
  half: ["半"],
  noon: ["正午"],
  midnight: ["真夜中"],
  fillers: ["の", "に", "は", "ごろ", "頃"],
};

export const dates: DatesWords = {
  days,
  longDays,
  months,
  longMonths: months,
  day: ({ weekday, day, month }) => `${month}月${day}日(${days[weekday]})`,
  monthDay: ({ day, month }) => `${month}月${day}日`,
  dayOfYear: ({ weekday, day, month, year }) => `${year}年${month}月${day}日(${days[weekday]})`,
  longDay: ({ weekday, day, month, year }) => `${year}年${month}月${day}日${longDays[weekday]}`,
  barDay: ({ weekday, day }) => `${day}(${days[weekday]})`,
  month: ({ month, year }) => `${year}年${month}月`,
  shortMonth,
  monthSpan: (from, to) => `${shortMonth(from)}～${from.year === to.year ? `${to.month}月` : shortMonth(to)}`,
  now: "現在",
  justNow: "たった今",
  minutes: (count) => `${count}分`,
  hours: (count) => `${count}時間`,
  daysLong: (count) => `${formatNumber(count, 0, "ja")}日`,
  ago: (span) => `${span}前`,
  ahead: (span) => `${span}後`,
  typed,
  typedDays: {},
  monthFirst: true,
};
