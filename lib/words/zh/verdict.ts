import type { VerdictWords } from "../en/verdict.ts";

type Area = Parameters<VerdictWords["area"]["enters"]>[0];
type Centre = Parameters<VerdictWords["approach"]["closest"]>[0];
type Reach = Parameters<VerdictWords["approach"]["inside"]>[0];

const area = ({ method, estimated }: Pick<Area, "method" | "estimated">) => {
  const name = method === "classic" ? "1-2-3危险区" : "本季不确定锥危险区";
  return estimated ? `${name}（风圈为估计值）` : name;
};

const gales = (kt: number) => (kt === 34 ? "大风（34 节）" : `${kt} 节的风`);

const semicircles = { dangerous: "危险半圆", navigable: "可航半圆" };

const centre = ({ distance, bearing, semicircle }: Omit<Centre, "when">) => {
  const where = `距离${distance}，方位${bearing}`;
  return semicircle === null ? where : `${where}，您处于${semicircles[semicircle]}`;
};

const lessError = ({ kt, estimated }: Pick<Reach, "kt" | "estimated">) =>
  `已扣除${kt} 节风圈${estimated ? "（估计值）" : ""}和路径误差`;

export const verdict: VerdictWords = {
  at: ({ time, age }) => `${time}（${age}）`,
  area: {
    none: "此预报未给出今后时段的危险区。",
    clear: ({ distance, ...of }) => `在${area(of)}之外，与其最近距离${distance}。`,
    enters: ({ at, ...of }) => `本船将进入${area(of)}：${at}。`,
    insideToEnd: ({ end, ...of }) => `【区内】在${area(of)}之内，直至其有效期结束：${end}。`,
    insideOut: ({ out, ...of }) => `【区内】在${area(of)}之内，离开时间：${out}。`,
  },
  gales: {
    now: ({ kt }) => `按预报路径，现在已处于${gales(kt)}中。`,
    possibleThenLikely: ({ kt, likely }) => `${gales(kt)}从现在起可能出现，最可能在${likely}出现。`,
    likely: ({ kt, likely }) => `${likely}很可能出现${gales(kt)}。`,
    earliest: ({ kt, earliest, likely }) => `${gales(kt)}最早在${earliest}、最可能在${likely}出现。`,
    possibleNow: ({ kt }) => `若热带气旋偏离预报路径，现在就可能出现${gales(kt)}。`,
    possibleFrom: ({ kt, from }) => `若热带气旋偏离预报路径，${from}起可能出现${gales(kt)}。`,
    notExpected: ({ kt, until }) => `整个预报时段内（至${until}）预计不会出现${gales(kt)}。`,
    notKnown: ({ kt }) => `${gales(kt)}：不明，预报未给出其范围。`,
    notKnownLater: ({ kt }) => `${gales(kt)}：不明，预报只给出其现在的范围，未给出以后的范围。`,
    notKnownAfter: ({ kt, told }) => `${gales(kt)}：不明，预报给出其范围的时间最多到${told}为止。`,
  },
  stillClosing: (until) => `预报结束时（${until}），热带气旋仍在靠近。`,
  old: "预报已过时：缺少更新的预报。",
  without: {
    over: "此热带气旋已停止跟踪：没有它的预报。",
    ended: (when) => `其预报已于${when}结束：此后情况不明，但这并不表示它不会靠近。`,
    beyond: "其预报在本船船位的时刻之前结束。",
    invest: "没有预报的关注区域：去向不明。",
    silent: "没有可用于计算的预报：这并不表示热带气旋不会靠近。",
  },
  staleShip: (age) => `本船船位是${age}输入的：请输入新船位。`,
  line: {
    stillClosing: ({ until, distance }) => `预报结束时（${until}）仍在靠近：${distance}`,
    closest: ({ when, distance }) => `最近会遇（${when ?? "现在"}）：${distance}`,
  },
  range: {
    fromPoint: ({ distance, bearing }) => `距所选地点${distance}，方位${bearing}`,
    fromShip: ({ distance, bearing }) => `现在距本船${distance}，方位${bearing}`,
    fromPlanned: ({ distance, bearing, when }) => `现在距本船预定位置（${when}）${distance}，方位${bearing}`,
    plannedSaid: ({ distance, bearing, when }) =>
      `现在距本船预定位置（${when}）${distance}，方位${bearing}。`,
    said: ({ distance, bearing }) => `现在距离${distance}，方位${bearing}。`,
  },
  approach: {
    title: "最近会遇",
    toShip: "与本船的最近会遇",
    toPoint: "与所选地点的最近会遇",
    looking: "正在计算与本船的最近会遇…",
    how: "在地图上点击您所在的位置，或标出本船：最近会遇从该处算起。",
    course: "航向（°）",
    speed: "航速（节）",
    wrong: "航向应为0至360，航速应为0至60 节。",
    closing: ({ until, ...of }) => `预报结束时（${until}），其中心仍在靠近：${centre(of)}。`,
    closest: ({ when, ...of }) => `其中心最接近的时刻：${when ?? "现在"}，${centre(of)}。`,
    clearance: ({ when, distance, ...of }) => `最小余量${distance}：${when ?? "现在"}，${lessError(of)}。`,
    shrinking: ({ until, distance, ...of }) =>
      `最小余量${distance}：预报结束时（${until}），且仍在减小，${lessError(of)}。`,
    inside: ({ when, distance, ...of }) =>
      `${when ?? "现在"}您可能处于其范围之内，深入${distance}，${lessError(of)}。`,
    arrives: ({ kt, outlook, earliest, likely, latest, over }) => {
      const hours = [
        outlook === "expected" ? "预计出现" : "可能出现",
        earliest && `最早${earliest}`,
        likely && `最可能${likely}`,
        latest && `最晚${latest}`,
        over && `最晚${over}结束`,
      ];
      return `${kt} 节的风：${hours.filter(Boolean).join("，")}`;
    },
    notExpected: ({ kt, until }) => `${kt} 节的风：整个预报时段内（至${until}）预计不会出现`,
    notForecast: ({ kt }) => `${kt} 节的风：未预报其范围`,
    lookedAt: ({ until, clock }) => `计算至${until}，即预报结束时。时间为${clock}，精确到小时。`,
    locatedFromShip: ({ when, distance }) => `最后定位${when}，距本船${distance}。`,
    locatedFromPoint: ({ when, distance }) => `最后定位${when}，距所选地点${distance}。`,
    fromForecast: (span) => `根据${span}前的预报计算。`,
    fromOldForecast: (span) => `根据${span}前的预报计算。缺少更新的预报：热带气旋可能比此处所示更接近。`,
  },
  peek: {
    inBulletin: (when) => `${when}的公报`,
    none: "没有可显示的热带气旋。",
    tap: "点击一个热带气旋，或上拉此面板查看列表。",
  },
};
