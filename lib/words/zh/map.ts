import type { MapWords } from "../en/map.ts";

export const map: MapWords = {
  title: "气象地图",
  zoomIn: "放大",
  zoomOut: "缩小",
  high: "高",
  low: "低",
  noValue: "无数值",
  ofTime: (time) => `（${time}）`,
  from: ({ value, point }) => `${value}，来自${point}`,
  setting: ({ value, point }) => `${value}，流向${point}`,
  loading: (title) => `正在加载${title}…`,
  empty: ({ title, ingest, feeds }) =>
    `尚无${title}数据。请运行 \`${ingest}\` 导入，或运行 \`${feeds}\` 下载预报。`,
  awaited: (title) => `尚无${title}数据。正在下载首次预报。`,
  outside: (title) => `此时刻没有${title}数据。`,
  broken: "此浏览器不支持 WebGL 2，无法绘制地图。搜索地名或位置即可查看该处的海况。",
  beyondAhead: (days) => `预报最多显示未来 ${days} 天：地图停在最后时刻。`,
  beyondPast: (years) => `历史数据最多显示过去 ${years} 年：地图停在最早时刻。`,
  old: (field) => `旧数据：${field}`,
  fieldOf: ({ title, time }) => `${title}（${time}）`,
  linesOutside: (title) => `${title}：此时刻没有数据。`,
  linesFailed: (title) => `${title}：服务器无法响应。`,
  fixedSource: ({ title, model, dataset }) => `${title}：${model} · ${dataset}，不随时间变化`,
  source: ({ title, model, age, reach, run, valid, between }) => {
    const forecast =
      age === undefined ? "" : `，${age} 小时前${reach === undefined ? "" : `，至 T+${reach} 小时`}`;
    const steps = between ? `（在 ${between[0]} 与 ${between[1]} 之间插值）` : "";
    return `${title}：${model}${forecast} · 起报 ${run} UTC · 有效时间 ${valid}${steps}`;
  },
  secondarySource: ({ title, model, run }) =>
    `${title}：${model}${run === undefined ? "" : ` · 起报 ${run} UTC`}`,
};
