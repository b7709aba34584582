import type { DatesWords } from "../en/dates.ts";
import { formatNumber } from "../number.ts";

const days = ["周日", "周一", "周二", "周三", "周四", "周五", "周六"];
const longDays = ["星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"];
const months = ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"];

const shortMonth: DatesWords["shortMonth"] = ({ month, year }) => `${year}年${month}月`;

/** Whose week a day of the week is of stands before it, and the week with the day: 下 + 周五. */
const typed: DatesWords["typed"] = {
  now: ["现在", "此刻"],
  today: ["今天", "今日"],
  tomorrow: ["明天", "明日"],
  tomorrowMorning: ["明早", "明天早上", "明天上午"],
  tomorrowEvening: ["明晚", "明天晚上", "明天下午"],
  afterTomorrow: ["后天"],
  yesterday: ["昨天", "昨日"],
  tonight: ["今晚", "今天晚上"],
  next: ["下一个"],
  last: ["上一个"],
  lastWeek: ["上", "上个"],
  thisWeek: ["本", "这", "这个"],
  nextWeek: ["下", "下个"],
  ahead: ["后", "之后"],
  ago: ["前", "之前"],
  hours: ["小时", "个小时", "点", "点钟", "时"],
  minutes: ["分", "分钟"],
  days: ["天"],
  weeks: ["周", "星期", "个星期"],
  am: ["上午", "早上", "早晨", "凌晨"],
  pm: ["下午", "晚上", "傍晚"],
  half: ["半"],
  noon: ["中午", "正午"],
  midnight: ["午夜", "零点"],
  fillers: ["的", "在"],
};

export const dates: DatesWords = {
  days,
  longDays,
  months,
  longMonths: months,
  day: ({ weekday, day, month }) => `${month}月${day}日 ${days[weekday]}`,
  monthDay: ({ day, month }) => `${month}月${day}日`,
  dayOfYear: ({ weekday, day, month, year }) => `${year}年${month}月${day}日 ${days[weekday]}`,
  longDay: ({ weekday, day, month, year }) => `${year}年${month}月${day}日${longDays[weekday]}`,
  barDay: ({ weekday, day }) => `${day} ${days[weekday]}`,
  month: ({ month, year }) => `${year}年${month}月`,
  shortMonth,
  monthSpan: (from, to) => `${shortMonth(from)}至${from.year === to.year ? `${to.month}月` : shortMonth(to)}`,
  now: "现在",
  justNow: "刚刚",
  minutes: (count) => `${count}分钟`,
  hours: (count) => `${count}小时`,
  daysLong: (count) => `${formatNumber(count, 0, "zh")}天`,
  ago: (span) => `${span}前`,
  ahead: (span) => `${span}后`,
  typed,
  typedDays: {
    星期天: 0,
    周天: 0,
    礼拜天: 0,
    礼拜日: 0,
    礼拜一: 1,
    礼拜二: 2,
    礼拜三: 3,
    礼拜四: 4,
    礼拜五: 5,
    礼拜六: 6,
  },
  monthFirst: true,
};
