import type { StormCardWords } from "../en/storm-card.ts";

export const stormCard: StormCardWords = {
  region: (name) => `熱帯低気圧 ${name}`,
  bulletin: ({ time, span }) => `${time}の情報（${span}前）`,
  otherTime: (time) =>
    `地図は${time}を表示しています。この情報の予報経路と予報コーンは、その上には描きません。`,
  aliases: (ids) => `別の識別番号：${ids.join("、")}`,
  stage: "階級",
  wind: "最大風速",
  pressure: "最低気圧",
  centre: "中心",
  moving: "移動",
  seas: "12 ft（3.7 m）の波",
  seasReach: (quadrants) => `${quadrants} 海里（地図では点線）`,
  danger: {
    title: "1-2-3ルールの危険域",
    off: "なし",
    classic: "100-200-300",
    season: "今シーズンの予報コーン",
    rule: ({ thresholdKt, method, estimated }) => {
      const error = method === "classic" ? "1日あたり100 海里（1-2-3ルール）" : "予報コーンの半径";
      return `${thresholdKt} kt以上の風の範囲${estimated ? "（一部は推定）" : ""}に${error}を加えたもの（72時間先まで）`;
    },
    text: (rule) => `${rule}。域外でも危険がないわけではありません。`,
    noForecast: "描くための予報がありません。",
  },
  cone: {
    title: "予報コーン：",
    jma: "気象庁（JMA）の予報円（確率70%）",
    table: ({ year, missing, basin }) => {
      const unknown = missing === undefined ? "" : `（${missing}年の表はまだここにありません）`;
      const borrowed = basin === undefined ? "" : `、他の海域（${basin}）の値を使用`;
      return `NHCの${year}年の表${unknown}、予報誤差の3分の2${borrowed}`;
    },
    text: {
      jma: (origin) =>
        `${origin}。中心がこの中にとどまるのは10回中およそ7回と見込まれます。風と波はその外側にも及びます。`,
      nhc: (origin) =>
        `${origin}。中心がこの中にとどまるのは3回中およそ2回と見込まれます。風と波はその外側にも及びます。`,
    },
  },

  chart: {
    wind: (minutes) => `風速 kt（${minutes}分平均）`,
    pressure: "最低気圧 hPa",
    label: ({ title, first, last, min, max }) => `${title}：${first}から${last}へ、最小${min}、最大${max}`,
  },

  forecast: {
    caption: (minutes) => `予報（風速は${minutes}分平均）`,
    time: "時刻",
    wind: { what: "風速", unit: "kt" },
    centre: "中心",
    reach: (thresholdKt) => ({ what: `${thresholdKt} kt`, unit: "海里" }),
    cone: { what: "コーン", unit: "海里" },
    seas: (quadrants) => `12 ftの波 ${quadrants}`,
  },

  errors: {
    title: "予報と実際の比較",
    tooEarly: (bulletins) =>
      `まだ比較できません。保存されている情報は${bulletins}件で、予報時刻の観測がまだありません。`,
    chart: "経路の平均誤差（海里）、予報時間（時間）別",
    chartLabel: (means) =>
      `経路の平均誤差：${means.map(({ miles, hours }) => `${hours}時間で${miles} 海里`).join("、")}`,
    caption: "これまでの予報の平均誤差、予報時間別",
    lead: { what: "予報", unit: "時間" },
    forecasts: "件数",
    track: { what: "経路", unit: "海里" },
    wind: { what: "風速", unit: "kt" },
    few: (count) => `${count}（少数）`,
    means: ({ bulletins, minutes }) =>
      `${bulletins}件の情報を、現在わかっている経路と比べた平均です。風速は${minutes}分平均。括弧内は符号付きの平均で、マイナスは予報が弱すぎたことを示します。`,
    tooFew: (least) => `同じ予報時間の予報が${least}件未満では、次の予報の目安にはなりません。`,
    leftOut: (count) => `他の予報時間の${count}件は除いています。`,
  },

  peer: {
    region: "他の提供元",
    title: ({ provider, id }) => `この熱帯低気圧の${provider}による情報（${id}）`,
    winds: ({ other, own }) => `最大風速は${other}、こちらは${own}です。両者は比較できません。`,
    apart: (miles) => `現在の中心の距離は${miles}です。`,
    apartLater: ({ now, later, hours }) =>
      `中心の距離は現在${now}、両者の予報では${hours}時間後に${later}です。`,
    compare: "経路を比較",
    closeFilm: "地図で両方の経路を見るには、動画を閉じてください。",
    onMap: (provider) => `地図では${provider}の経路を文字と同じ色で描き、同じ時刻の中心を線で結びます。`,
    noCommonTime: "2つの経路に共通の時刻がありません。",
    table: "時刻別の2つの経路",
    caption: "時刻別の中心間の距離と風速",
    time: "時刻",
    distance: { what: "距離", unit: "海里" },
    wind: ({ agency, minutes }) => ({ what: agency, unit: `kt・${minutes}分` }),
    difference: { what: "差", unit: "kt" },
    forecast: "予報",
    observed: "観測（新しい順）",
    note: ({ shorter, longer }) =>
      `同じ風でも、${shorter}分平均は${longer}分平均より大きくなります。風速の差は、どちらかの誤りではありません。`,
    interpolated: "≈：どちらかの位置は補間値です。",
  },

  film: {
    button: "動画",
    open: "地図にはこの熱帯低気圧だけを表示しています。ここに示すのは、動画が止まっている時点で有効な情報、または保存されている最初の情報です。",
    closed: "経路の推移と、各情報の予報経路と予報コーンを表示します。",
    region: "熱帯低気圧の動画",
    close: "動画を閉じる",
    readingStorms: "熱帯低気圧を読み込み中…",
    back: "前の位置または情報へ戻る",
    forward: "次の位置または情報へ進む",
    play: "動画を再生",
    pause: "動画を一時停止",
    time: "動画の時刻",
    name: (name) => `${name}、`,
    at: ({ time, state }) => `${time}、${state}`,
    beforeFirst: "保存されている最初の情報より前",
    bulletin: ({ number, count }) => `情報${number}/${count}`,
  },

  save: {
    button: "ファイルに保存",
    geojson: "GeoJSON（すべて）",
    gpx: "GPX（プロッター用）",
    track: "CSV（経路）",
    cone: "CSV（予報コーン）",
    danger: "CSV（危険域）",
  },
};
