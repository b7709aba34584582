import type { StormsWords } from "../en/storms.ts";

const likely = { low: "低", medium: "中", high: "高" };

export const storms: StormsWords = {
  days: (count) => `${count}天`,
  notStated: "未说明",
  notGiven: "未给出",
  reading: "正在读取公报…",
  allStorms: "所有热带气旋",
  noLongerTracked: "已停止跟踪",
  areaOfInterest: "关注区域",
  unnamed: (label) => `${label}（未命名）`,
  dangerLabels: {
    classic: "1-2-3规则危险区",
    season: "按本季预报误差的危险区",
  },
  providers: { jtwc: "JTWC和NHC", jma: "日本气象厅（JMA）" },
  basins: {
    north_atlantic: "北大西洋",
    south_atlantic: "南大西洋",
    east_pacific: "东太平洋",
    central_pacific: "中太平洋",
    west_pacific: "西太平洋",
    south_pacific: "南太平洋",
    north_indian: "北印度洋",
    south_indian: "南印度洋",
  },
  stages: {
    DB: "热带扰动",
    TD: "热带低压",
    TS: "热带风暴",
    PT: "后热带气旋",
    LO: "低压",
    hurricane: "飓风",
    typhoon: "台风",
    cyclone: "热带气旋",
    unknown: "等级未说明",
  },
  category: ({ stage, category }) => `${stage}（${category}级）`,
  shortCategory: (category) => `飓风${category}级`,
  jmaClasses: {
    TD: "热带低压",
    TS: "热带风暴",
    STS: "强热带风暴",
    TY: "台风",
    strong: "台风（强）",
    veryStrong: "台风（非常强）",
    violent: "台风（猛烈）",
  },
  wind: ({ knots, minutes }) => `${knots} 节（${minutes}分钟平均）`,
  windRange: ({ min, max, minutes }) => `${min}～${max} 节（${minutes}分钟平均）`,
  notEstimated: "尚未估计",
  motion: {
    towards: ({ bearing, knots }) => `向${bearing}，${knots} 节`,
    stationary: "原地少动",
    unknown: "不明",
  },
  moving: {
    towards: ({ bearing, knots }) => `以${knots} 节向${bearing}移动`,
    stationary: "原地少动",
    unknown: "移动情况不明",
  },
  quadrants: ({ ne, se, sw, nw }) => [`东北${ne} 东南${se}`, `西南${sw} 西北${nw}`],
  staleForecast: (span) => `该预报是${span}前发布的：缺少更新的公报。`,
  overdue: ({ span, hidden }) =>
    `该热带气旋的最新报告是${span}前的：其来源已中断或不再包含它。${hidden ? "较早的预报不予显示。" : ""}`,
  seen: (time) => `观测于${time}`,
  unknownStorm: (id) => `本服务器没有该机构关于热带气旋${id}的公报。`,

  list: {
    title: "热带气旋",
    whose: "发布机构",
    means: {
      jtwc: "风速为1分钟平均。两者不可比较，也从不混用。",
      jma: "风速为10分钟平均。两者不可比较，也从不混用。",
    },
    withAreas: "同时显示关注区域（Invest）",
    oldFeed: (span) => `该机构的最新电文是${span}前的：显示的是最后收到的内容。`,
    neverRead: "本服务器还没有该机构的热带气旋公报。",
    none: {
      jtwc: "JTWC和NHC没有活动的热带气旋。",
      jma: "日本气象厅（JMA）没有活动的热带气旋。",
    },
    nearestFirst: "按最近会遇距离排列，最接近本船的在最前。",
    searching: "正在计算与本船的最近会遇点…",
    stageAndWind: ({ stage, wind }) => `${stage}，${wind}`,
    bulletin: (span) => `${span}前的公报`,
    noForecast: "没有预报：最近会遇点不明",
  },

  areas: {
    title: "关注区域",
    jmaHasNone: "日本气象厅（JMA）不发布关注区域展望。",
    unknown: "最近两天没有收到展望：是否会生成热带气旋不明。",
    quiet: ({ basins, agency }) => `${basins.join("、")}：${agency}预计不会有发展`,
    quietSince: (time) => `（发布于${time}）`,
    name: ({ name, invest }) => `${name}（${invest}）`,
    nameless: "无编号扰动",
    chance: ({ likelihood: level, in48Hours, in7Days, within }) => {
      const stated = [
        ...(in48Hours === null ? [] : [`48小时内${in48Hours}%`]),
        ...(in7Days === null ? [] : [`7天内${in7Days}%`]),
      ];
      return stated.length > 0
        ? `生成可能性${likely[level]}：${stated.join("，")}`
        : `${within}内生成可能性${likely[level]}`;
    },
    chanceLabel: ({ likelihood: level, in7Days, within }) =>
      in7Days === null ? `${within}内：${likely[level]}` : `${likely[level]}：7天内${in7Days}%`,
    alertUntil: (time) => ({ what: "生成警报", until: `有效至${time}` }),
    issuedAgo: (age) => `发布：${age}`,
    region: (name) => `区域 ${name}`,
    kind: ({ agency }) => `关注区域 · ${agency}`,
    issued: ({ time, span }) => `发布于${time}（${span}前）`,
    validUntil: (time) => `有效至${time}`,
    where: "位置",
    drawn: "如地图所绘",
    onlyInWords: "仅有文字描述",
    winds: "风速",
    pressure: "最低气压",
    drawnEarlier: (time) => `其位置和范围来自较早的展望，发布于${time}。`,
    noExtent: "该机构只给出位置，没有给出范围：符号为其当前位置。",
    likelihoodIssued: ({ time, agency }) =>
      agency === undefined
        ? `热带气旋生成的可能性，发布于${time}`
        : `热带气旋生成的可能性，${agency}发布于${time}`,
    alert: "生成警报",
    alertTitle: "JTWC的生成警报",
    inForceUntil: (time) => `有效至${time}`,
    lapsed: "已过有效期，尚未收到后续警报。",
    area: "区域",
    aroundPlace: (miles) => `某点周围${miles}以内`,
    alongLine: (miles) => `一条线两侧各${miles}`,
    moving: "移动",
    agencyText: "JTWC原文",
  },
};
