import type { PassageBetterWords } from "../en/passage-better.ts";

export const passageBetter: PassageBetterWords = {
  find: "より良い航路を探す",
  stop: "探索を中止",
  about: "同じ出航時刻と両端で、陸地と熱帯低気圧を避ける別の航路を探します。",
  objective: "良さの基準",
  objectives: { within_limits: "制限値内", fastest: "最速" },
  order: {
    within_limits:
      "順位：到着すること、全行程で制限値内であること、所要時間が短いこと。所要時間には、制限値を超える時間を超過の度合いで重み付けし、8倍して加えます（制限値の2倍なら1時間を4時間とします）。",
    fastest:
      "順位：到着すること、熱帯低気圧との距離を保つこと、所要時間が短いこと。所要時間には、それより近い時間を近さで重み付けし、8倍して加えます。",
  },
  searching: "より良い航路を探しています…",
  cancelled: "探索を中止しました。",
  offline: "ネットワークがありません。探索にはサービスが必要です。",
  none: "より良い航路は見つかりませんでした。今の航路のままで結構です。",
  found: (text) => `より良い航路：${text}。`,
  same: "ほぼ同じ",
  leastBad: "全行程で制限値内の航路はありません。これは最もましなものです。",
  crossesLand: (leg) => `あなたの航路は第${leg}区間で陸地を横切ります。`,
  stale: "探索の後に計画が変わりました。もう一度探してください。",
  use: "この航路を使う",
  keep: "自分の航路のまま",
  used: "計画はより良い航路になりました。「元に戻す」で自分の航路に戻ります。",
  kept: "航路はそのままです。",
  own: "あなたの航路",
  better: "より良い航路",
  weighted: "制限値超過（重み付け）",
  caption: "あなたの航路とより良い航路",
  check: "海図で確認すべき提案です。この地図に表示されない岩や小島、水深は考慮されません。",
  difference: {
    join: "、",
    arrives: "到着します（あなたの航路は到着しません）",
    later: (span) => `${span}遅い`,
    earlier: (span) => `${span}早い`,
    longer: (distance) => `${distance}長い`,
    shorter: (distance) => `${distance}短い`,
    sea: ({ better, own }) => `最大波高 ${better}（あなたの航路は ${own}）`,
    wind: ({ better, own }) => `最大風速 ${better}（あなたの航路は ${own}）`,
    over: ({ better, own }) => `制限値超過 ${better}（あなたの航路は ${own}）`,
    weighted: ({ better, own }) => `超過の度合いで重み付け ${better}（あなたの航路は ${own}）`,
    noTime: "なし",
  },
  ashore: {
    start: ({ distance, position }) =>
      `出発点が陸上にあります。最も近い水面は${distance}先、${position}です。`,
    end: ({ distance, position }) => `到着点が陸上にあります。最も近い水面は${distance}先、${position}です。`,
    startInland: "出発点が陸上にあり、近くに水面がありません。",
    endInland: "到着点が陸上にあり、近くに水面がありません。",
    move: "そこへ移す",
  },
  noWay:
    "水路が見つかりませんでした。運河、閘門、狭い海峡は探索に含まれません。両側を別々に計画してください。",
  refused: {
    distance: ({ miles, most }) =>
      `両端の距離は${miles}です。探索できるのは${most}までです。区間ごとに探してください。`,
    hours: ({ span, most }) =>
      `所要時間は約${span}です。探索できるのは${most}までです。一部を探してください。`,
    forecast: ({ span, known }) =>
      `所要時間は約${span}ですが、予報は出航の${known}後に終わります。早く出航するか、一部を探してください。`,
    loop: "航路の終わりが始まりと同じです。探す区間がありません。",
    vessel: "船の設定に不足があります。「船と制限値」をご覧ください。",
  },
};
