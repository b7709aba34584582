import type { StormCardWords } from "../en/storm-card.ts";

export const stormCard: StormCardWords = {
  region: (name) => `热带气旋 ${name}`,
  bulletin: ({ time, span }) => `${time}的公报（${span}前）`,
  otherTime: (time) => `地图显示的是${time}：该公报的预报和不确定锥不在其上绘出。`,
  aliases: (ids) => `又称${ids.join("、")}`,
  stage: "等级",
  wind: "最大风速",
  pressure: "最低气压",
  centre: "中心",
  moving: "移动",
  seas: "12英尺（3.7 m）海浪",
  seasReach: (quadrants) => `${quadrants} 海里，地图上为点线`,
  danger: {
    title: "1-2-3规则危险区",
    off: "不显示",
    classic: "100-200-300",
    season: "本季不确定锥",
    rule: ({ thresholdKt, method, estimated }) => {
      const error = method === "classic" ? "每天100 海里（1-2-3规则）" : "不确定锥的半径";
      return `${thresholdKt} 节风的范围${estimated ? "（部分为估计）" : ""}加${error}，至72小时`;
    },
    text: (rule) => `${rule}。区外也并非没有风险。`,
    noForecast: "没有可用来绘制的预报。",
  },
  cone: {
    title: "不确定锥：",
    jma: "日本气象厅（JMA）的70%概率圆",
    table: ({ year, missing, basin }) => {
      const unknown = missing === undefined ? "" : `（此处尚无${missing}年的表）`;
      const borrowed = basin === undefined ? "" : `，借用其他海域（${basin}）的数值`;
      return `NHC ${year}年的表${unknown}，预报误差的三分之二${borrowed}`;
    },
    text: {
      jma: (origin) => `${origin}。中心预计约十次中有七次留在锥内；风和浪会超出其范围。`,
      nhc: (origin) => `${origin}。中心预计约三次中有两次留在锥内；风和浪会超出其范围。`,
    },
  },

  chart: {
    wind: (minutes) => `风速，节（${minutes}分钟平均）`,
    pressure: "最低气压，hPa",
    label: ({ title, first, last, min, max }) => `${title}：从${first}到${last}，最小${min}，最大${max}`,
  },

  forecast: {
    caption: (minutes) => `预报（风速为${minutes}分钟平均）`,
    time: "时间",
    wind: { what: "风速", unit: "节" },
    centre: "中心",
    reach: (thresholdKt) => ({ what: `${thresholdKt} 节`, unit: "海里" }),
    cone: { what: "锥半径", unit: "海里" },
    seas: (quadrants) => `12英尺浪 ${quadrants}`,
  },

  errors: {
    title: "预报与实况对比",
    tooEarly: (bulletins) => `为时尚早：此处存有${bulletins}份公报，其预报时刻尚未有观测。`,
    chart: "路径平均误差（海里），按预报时效（小时）",
    chartLabel: (means) =>
      `路径平均误差：${means.map(({ miles, hours }) => `${hours}小时${miles} 海里`).join("，")}`,
    caption: "迄今各次预报的平均误差，按预报时效",
    lead: { what: "时效", unit: "小时" },
    forecasts: "次数",
    track: { what: "路径", unit: "海里" },
    wind: { what: "风速", unit: "节" },
    few: (count) => `${count}（少）`,
    means: ({ bulletins, minutes }) =>
      `${bulletins}份公报与目前已知路径相比的平均值。风速为${minutes}分钟平均；括号内为带符号的平均值，负号表示预报偏弱。`,
    tooFew: (least) => `同一时效的预报少于${least}次，不足以判断下一次预报。`,
    leftOut: (count) => `其他时效的${count}次预报未计入。`,
  },

  peer: {
    region: "另一机构",
    title: ({ provider, id }) => `${provider}对该热带气旋的分析（${id}）`,
    winds: ({ other, own }) => `最大风速${other}，此处为${own}：两者不可比较。`,
    apart: (miles) => `两个中心目前相距${miles}。`,
    apartLater: ({ now, later, hours }) => `两个中心目前相距${now}，按两者的预报${hours}小时后相距${later}。`,
    compare: "比较路径",
    closeFilm: "关闭动画后可在地图上查看两条路径。",
    onMap: (provider) => `地图上：${provider}的路径与文字同色，同一时刻的两个中心以线相连。`,
    noCommonTime: "两条路径没有共同的时刻。",
    table: "两条路径（按时间）",
    caption: "两个中心的距离及其风速（按时间）",
    time: "时间",
    distance: { what: "距离", unit: "海里" },
    wind: ({ agency, minutes }) => ({ what: agency, unit: `节，${minutes}分钟` }),
    difference: { what: "差", unit: "节" },
    forecast: "预报",
    observed: "观测（新的在前）",
    note: ({ shorter, longer }) =>
      `同样的风，${shorter}分钟平均高于${longer}分钟平均：风速之差并非其中一方的错误。`,
    interpolated: "≈：其中一个位置为插值。",
  },

  film: {
    button: "动画",
    open: "地图只显示该热带气旋。此卡片为动画停留时刻有效的公报，或存有的第一份公报。",
    closed: "路径的发展过程，以及每份公报的预报和不确定锥。",
    region: "热带气旋动画",
    close: "关闭动画",
    readingStorms: "正在读取热带气旋…",
    back: "退回上一个定位或公报",
    forward: "前进到下一个定位或公报",
    play: "播放动画",
    pause: "暂停动画",
    time: "动画时间",
    name: (name) => `${name}，`,
    at: ({ time, state }) => `${time}，${state}`,
    beforeFirst: "早于存有的第一份公报",
    bulletin: ({ number, count }) => `公报${number}/${count}`,
  },

  save: {
    button: "保存为文件",
    geojson: "GeoJSON，全部",
    gpx: "GPX，用于绘图仪",
    track: "CSV，路径",
    cone: "CSV，不确定锥",
    danger: "CSV，危险区",
  },
};
