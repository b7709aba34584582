import type { PointWords } from "../en/point.ts";

export const point: PointWords = {
  title: "気象・海象",
  reading: "予報を読み込んでいます…",
  choose: "海上をクリックするか、地図でEnterキーを押すと、気象・海象が表示されます。",
  tap: "海上をタップすると、気象・海象が表示されます。",
  unreadable: "気象・海象を読み込めませんでした。",
  notRead: "気象・海象はまだ読み込まれていません。",
  forget: "この位置を消去",
  allValues: "すべての値",
  everyThreeHours: "3時間ごと",
  copyAsCurl: "curlとしてコピー",
  values: (runs) => `値：${runs}`,
  run: ({ model, dataset, run }) =>
    run === undefined ? `${model}（${dataset}）` : `${model}（${dataset}）、初期時刻 ${run}`,
  absent: "— 値なし",
  absentBecause: (reason) => `— 値なし（${reason}）`,
  onLand: "陸上",
  reasons: {
    land: "モデルでは陸地",
    ice: "氷の下",
    out_of_archive: "保存期間外",
    out_of_domain: "領域外",
    missing: "データなし",
  },
  bearing: ({ bearing, point }) => `${bearing}（${point}）`,
  line: ({ value, period, from, towards, bearing, mentions }) => {
    const degrees = bearing === undefined ? "" : `（${bearing}）`;
    const way = from ? `${from}${degrees}から ` : towards ? `${towards}${degrees}へ ` : "";
    const added = mentions.map(({ name, value: other }) => `、${name} ${other}`);
    return [way, value, period === undefined ? "" : `、周期 ${period}`, ...added].join("");
  },
  notAvailable: "値なし",
  spokenLine: ({ name, line }) => `${name}、${line}。`,
  heading: ({ of, sentences }) => `${of}。${sentences}`,
  set: ({ bearing, speed }) => ["流向", bearing, speed].filter(Boolean).join(" "),
  chart: {
    slider: "地図の時刻（メテオグラム）",
    valuesOf: ({ time, of, values }) => `${time}。${of}の値：${values}`,
    title: ({ name, dashed, unit, period }) => {
      const title = [name, ...dashed.map((other) => `${other}（破線）`)].join("と");
      return `${title}（${unit}）${period ? "、下は周期（s）" : ""}`;
    },
    gale: (speed) => `強風 ${speed}`,
    arrows: (names) => `矢印は進む方向を示します：${names.join("、")}。`,
    sparse: "海流：潮の変化を示せないため、矢印はありません。",
  },
  table: {
    caption: "今後の気象・海象",
    wind: (unit) => `風向・風速（${unit}）`,
    gusts: "突風",
    waves: (unit) => `波向・波高（${unit}）・周期（s）`,
    current: (unit) => `流向・流速（${unit}）`,
    show: ({ day, clock }) => `${day} ${clock}を地図に表示`,
  },
  shore: {
    onLand: "この位置は陸上です。海の値はありません。",
    landInModel: "モデルではこの格子が陸地のため、海の値がありません。",
    searching: "最も近い海の格子を探しています…",
    none: (distance) => `${distance}以内に海の格子はありません。`,
    failed: "最も近い海の格子を探せませんでした。",
    nearest: (where) => `最も近い海の格子：${where}`,
    where: ({ distance, point, bearing }) => `${point}（${bearing}）へ ${distance}`,
    use: "この地点を使う",
  },
  old: {
    offline: ({ shown, wanted }) => `${shown}の値です（オフライン）。${wanted}の値は読み込めませんでした。`,
    reading: ({ shown, wanted }) => `${shown}の値です。${wanted}の値を読み込んでいます。`,
    readAt: (time) => `オフラインです。${time}に読み込んだ値です。`,
    asOf: (time) => `${time}の値`,
    asOfOffline: (time) => `${time}の値（オフライン）`,
  },
};
