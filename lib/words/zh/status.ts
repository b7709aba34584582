import type { StatusWords } from "../en/status.ts";

const stateNames = {
  current: "最新",
  growing: "接收中",
  waiting: "等待中",
  late: "延迟",
  failing: "故障",
};

export const status: StatusWords = {
  heading: "数据源",
  reading: "正在读取数据源状态…",
  states: stateNames,
  summary: ({ counts, used, budget }) => {
    const feeds = counts.map(({ state, count }) => `${count}个${stateNames[state]}`).join("，");
    return `${feeds}。磁盘占用：${used}${budget === undefined ? "" : `，上限${budget}`}。`;
  },
  newestRun: "最新起报",
  newestText: "最新公报",
  steps: "时次",
  stepsOf: ({ here, expected }) => `${here}/${expected}`,
  stepsHere: ({ title }) => `${title}已接收的时次`,
  reachesTo: "预报至",
  nextExpected: "预计下次",
  lastFetched: "上次获取",
  from: "来源",
  today: "今日",
  moment: ({ time, age }) => `${time} UTC（${age}）`,
  errorAt: ({ moment }) => `${moment}：`,
  quarantined: ({ count, command }) => [`${count}个文件被拒收，已为运营者保留：`, command],
  clockSlow: ({ minutes }) =>
    `据多台服务器报时，本服务器的时钟慢${minutes}分钟：校准之前，预报和风暴的时效可能不准确。`,
  clockFast: ({ minutes }) =>
    `据多台服务器报时，本服务器的时钟快${minutes}分钟：校准之前，预报和风暴的时效可能不准确。`,
  noFeeds: "没有启用任何数据源：地图显示手动导入的数据，或虚构的演示数据。",
  turnOn: ({ start, plan }) => [
    "服务器运营者只需一项设置即可获得真实预报：",
    start,
    "。可先用",
    plan,
    "查看每天的数据量。",
  ],
};
