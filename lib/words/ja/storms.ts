import type { StormsWords } from "../en/storms.ts";

const likely = { low: "低", medium: "中", high: "高" };

export const storms: StormsWords = {
  days: (count) => `${count}日`,
  notStated: "記載なし",
  notGiven: "記載なし",
  reading: "情報を読み込み中…",
  allStorms: "熱帯低気圧の一覧",
  noLongerTracked: "追跡終了",
  areaOfInterest: "監視領域",
  unnamed: (label) => `${label}（名前なし）`,
  dangerLabels: {
    classic: "1-2-3ルールの危険域",
    season: "今シーズンの予報誤差による危険域",
  },
  providers: { jtwc: "JTWC・NHC", jma: "気象庁（JMA）" },
  basins: {
    north_atlantic: "北大西洋",
    south_atlantic: "南大西洋",
    east_pacific: "東太平洋",
    central_pacific: "中部太平洋",
    west_pacific: "西太平洋",
    south_pacific: "南太平洋",
    north_indian: "北インド洋",
    south_indian: "南インド洋",
  },
  stages: {
    DB: "擾乱",
    TD: "熱帯低気圧（TD）",
    TS: "トロピカルストーム（TS）",
    PT: "ポストトロピカル（PT）",
    LO: "低気圧",
    hurricane: "ハリケーン",
    typhoon: "タイフーン",
    cyclone: "サイクロン",
    unknown: "階級の記載なし",
  },
  category: ({ stage, category }) => `${stage}（カテゴリー${category}）`,
  shortCategory: (category) => `Cat. ${category}`,
  jmaClasses: {
    TD: "熱帯低気圧（TD）",
    TS: "台風（TS）",
    STS: "台風（STS）",
    TY: "台風（TY）",
    strong: "強い台風",
    veryStrong: "非常に強い台風",
    violent: "猛烈な台風",
  },
  wind: ({ knots, minutes }) => `${knots} kt（${minutes}分平均）`,
  windRange: ({ min, max, minutes }) => `${min}～${max} kt（${minutes}分平均）`,
  notEstimated: "未推定",
  motion: {
    towards: ({ bearing, knots }) => `${bearing}へ${knots} kt`,
    stationary: "停滞",
    unknown: "不明",
  },
  moving: {
    towards: ({ bearing, knots }) => `${bearing}へ${knots} ktで移動中`,
    stationary: "停滞中",
    unknown: "移動は不明",
  },
  quadrants: ({ ne, se, sw, nw }) => [`北東${ne} 南東${se}`, `南西${sw} 北西${nw}`],
  staleForecast: (span) => `この予報は${span}前のものです。新しい情報が届いていません。`,
  overdue: ({ span, hidden }) =>
    `この熱帯低気圧の最新の報告は${span}前のものです。配信元が止まっているか、対象から外れています。${
      hidden ? "古い予報は表示していません。" : ""
    }`,
  seen: (time) => `${time} 観測`,
  unknownStorm: (id) => `このサーバーには、この提供元による熱帯低気圧${id}の情報がありません。`,

  list: {
    title: "熱帯低気圧",
    whose: "提供元",
    means: {
      jtwc: "風速は1分平均です。両者の風速は比較できず、混ぜて使うことはありません。",
      jma: "風速は10分平均です。両者の風速は比較できず、混ぜて使うことはありません。",
    },
    withAreas: "監視領域（Invest）も表示",
    oldFeed: (span) => `この提供元の最新の電文は${span}前のものです。最後に受信した内容を表示しています。`,
    neverRead: "このサーバーには、この提供元の熱帯低気圧情報がまだありません。",
    none: {
      jtwc: "JTWC・NHCによる活動中の熱帯低気圧はありません。",
      jma: "気象庁（JMA）による活動中の熱帯低気圧はありません。",
    },
    nearestFirst: "本船に最も近づくものから順に並べています。",
    searching: "本船への最接近点を計算しています…",
    stageAndWind: ({ stage, wind }) => `${stage}、${wind}`,
    bulletin: (span) => `${span}前の情報`,
    noForecast: "予報がないため、最接近点は不明",
  },

  areas: {
    title: "監視領域",
    jmaHasNone: "気象庁（JMA）は監視領域の見通しを発表していません。",
    unknown: "過去2日間の見通しを受信していません。熱帯低気圧が発生するかどうかは不明です。",
    quiet: ({ basins, agency }) => `${basins.join("・")}：${agency}は発生を見込んでいません`,
    quietSince: (time) => `（発表 ${time}）`,
    name: ({ name, invest }) => `${name}（${invest}）`,
    nameless: "番号のない擾乱",
    chance: ({ likelihood: level, in48Hours, in7Days, within }) => {
      const stated = [
        ...(in48Hours === null ? [] : [`48時間以内${in48Hours}%`]),
        ...(in7Days === null ? [] : [`7日以内${in7Days}%`]),
      ];
      return stated.length > 0
        ? `発生の可能性：${likely[level]}（${stated.join("、")}）`
        : `${within}以内の発生の可能性：${likely[level]}`;
    },
    chanceLabel: ({ likelihood: level, in7Days, within }) =>
      in7Days === null ? `${within}以内：${likely[level]}` : `${likely[level]}：7日以内${in7Days}%`,
    alertUntil: (time) => ({ what: "発生警報", until: `${time}まで` }),
    issuedAgo: (age) => `発表：${age}`,
    region: (name) => `領域 ${name}`,
    kind: ({ agency }) => `監視領域・${agency}`,
    issued: ({ time, span }) => `発表 ${time}（${span}前）`,
    validUntil: (time) => `有効期限 ${time}`,
    where: "位置",
    drawn: "地図に描かれた範囲",
    onlyInWords: "文章のみ",
    winds: "風速",
    pressure: "最低気圧",
    drawnEarlier: (time) => `位置と範囲は、${time}に発表された以前の見通しのものです。`,
    noExtent: "発表には位置だけがあり、範囲はありません。記号は現在の位置を示します。",
    likelihoodIssued: ({ time, agency }) =>
      agency === undefined
        ? `熱帯低気圧が発生する可能性（発表 ${time}）`
        : `熱帯低気圧が発生する可能性（${agency}発表 ${time}）`,
    alert: "発生警報",
    alertTitle: "JTWCの発生警報",
    inForceUntil: (time) => `${time}まで有効`,
    lapsed: "期限が過ぎましたが、次の発表をまだ受信していません。",
    area: "領域",
    aroundPlace: (miles) => `一点から${miles}以内`,
    alongLine: (miles) => `線の両側それぞれ${miles}`,
    moving: "移動",
    agencyText: "JTWCの原文",
  },
};
