import type { MapWords } from "../en/map.ts";

export const map: MapWords = {
  title: "気象地図",
  zoomIn: "拡大",
  zoomOut: "縮小",
  high: "高",
  low: "低",
  noValue: "値なし",
  ofTime: (time) => `（${time}）`,
  from: ({ value, point }) => `${point}から ${value}`,
  setting: ({ value, point }) => `${point}へ ${value}`,
  loading: (title) => `${title}を読み込んでいます…`,
  empty: ({ title, ingest, feeds }) =>
    `${title}のデータはまだありません。\`${ingest}\` で取り込むか、\`${feeds}\` で予報を取得してください。`,
  awaited: (title) => `${title}のデータはまだありません。最初の予報を取得しています。`,
  outside: (title) => `この時刻の${title}のデータはありません。`,
  broken:
    "このブラウザーはWebGL 2に対応していないため、地図を表示できません。地名または位置を検索すると、その地点の気象・海象を表示できます。",
  beyondAhead: (days) => `予報は${days}日先までです。地図は最後の時刻を表示しています。`,
  beyondPast: (years) => `過去データは${years}年前までです。地図は最初の時刻を表示しています。`,
  old: (field) => `更新前：${field}`,
  fieldOf: ({ title, time }) => `${title}（${time}）`,
  linesOutside: (title) => `${title}：この時刻のデータはありません。`,
  linesFailed: (title) => `${title}：サーバーが応答できませんでした。`,
  fixedSource: ({ title, model, dataset }) => `${title}：${model} · ${dataset}（時刻によらず同じ）`,
  source: ({ title, model, age, reach, run, valid, between }) => {
    const forecast =
      age === undefined ? "" : `、${age}時間前${reach === undefined ? "" : `、T+${reach}時間まで`}`;
    const steps = between ? `（${between[0]}と${between[1]}の間を補間）` : "";
    return `${title}：${model}${forecast} · 初期時刻 ${run} UTC · 対象時刻 ${valid}${steps}`;
  },
  secondarySource: ({ title, model, run }) =>
    `${title}：${model}${run === undefined ? "" : ` · 初期時刻 ${run} UTC`}`,
};
