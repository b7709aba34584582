import type { PointWords } from "../en/point.ts";

export const point: PointWords = {
  title: "海况",
  reading: "正在读取预报…",
  choose: "点击海面，或在地图上按回车键，查看该处海况。",
  tap: "轻触海面查看海况。",
  unreadable: "无法读取海况。",
  notRead: "海况尚未读取。",
  forget: "清除此位置",
  allValues: "全部数值",
  everyThreeHours: "每三小时",
  copyAsCurl: "复制为 curl",
  values: (runs) => `数值：${runs}`,
  run: ({ model, dataset, run }) =>
    run === undefined ? `${model}（${dataset}）` : `${model}（${dataset}），起报 ${run}`,
  absent: "— 无数据",
  absentBecause: (reason) => `— 无数据（${reason}）`,
  onLand: "陆地",
  reasons: {
    land: "模式中为陆地",
    ice: "冰下",
    out_of_archive: "不在存档中",
    out_of_domain: "超出范围",
    missing: "无数值",
  },
  bearing: ({ bearing, point }) => `${bearing}（${point}）`,
  line: ({ value, period, from, towards, bearing, mentions }) => {
    const degrees = bearing === undefined ? "" : `（${bearing}）`;
    const way = from ? `，来自${from}${degrees}` : towards ? `，流向${towards}${degrees}` : "";
    const added = mentions.map(({ name, value: other }) => `，${name} ${other}`);
    return [value, period === undefined ? "" : `，周期 ${period}`, way, ...added].join("");
  },
  notAvailable: "无数据",
  spokenLine: ({ name, line }) => `${name}：${line}。`,
  heading: ({ of, sentences }) => `${of}。${sentences}`,
  set: ({ bearing, speed }) => ["流向", bearing, speed].filter(Boolean).join(" "),
  chart: {
    slider: "地图时刻（气象时序图）",
    valuesOf: ({ time, of, values }) => `${time}。${of} 的数值：${values}`,
    title: ({ name, dashed, unit, period }) => {
      const title = [name, ...dashed.map((other) => `${other}（虚线）`)].join("和");
      return `${title}（${unit}）${period ? "；下方为周期（s）" : ""}`;
    },
    gale: (speed) => `大风 ${speed}`,
    arrows: (names) => `箭头指向去向：${names.join("、")}。`,
    sparse: "海流：箭头无法显示潮汐变化，故不画。",
  },
  table: {
    caption: "未来几天的海况",
    wind: (unit) => `风向、风速（${unit}）`,
    gusts: "阵风",
    waves: (unit) => `波向、波高（${unit}）、周期（s）`,
    current: (unit) => `流向、流速（${unit}）`,
    show: ({ day, clock }) => `在地图上显示 ${day} ${clock}`,
  },
  shore: {
    onLand: "此位置在陆地上，没有海洋数据。",
    landInModel: "模式在此处的网格为陆地，没有海洋数据。",
    searching: "正在查找最近的海洋网格…",
    none: (distance) => `${distance}以内没有海洋网格。`,
    failed: "无法查找最近的海洋网格。",
    nearest: (where) => `最近的海洋网格：${where}`,
    where: ({ distance, point, bearing }) => `${point}（${bearing}）${distance}`,
    use: "使用",
  },
  old: {
    offline: ({ shown, wanted }) => `${shown} 的数值，离线。${wanted} 的数值未能读取。`,
    reading: ({ shown, wanted }) => `${shown} 的数值。正在读取 ${wanted} 的数值。`,
    readAt: (time) => `离线。读取于 ${time}。`,
    asOf: (time) => `${time} 的数值`,
    asOfOffline: (time) => `${time} 的数值，离线`,
  },
};
