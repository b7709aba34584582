import type { StatusWords } from "../en/status.ts";

const stateNames = {
  current: "最新",
  growing: "受信中",
  waiting: "待機中",
  late: "遅延",
  failing: "障害",
};

export const status: StatusWords = {
  heading: "データ源",
  reading: "データ源の状態を読み込んでいます…",
  states: stateNames,
  summary: ({ counts, used, budget }) => {
    const feeds = counts.map(({ state, count }) => `${stateNames[state]}${count}件`).join("、");
    return `${feeds}。ディスク使用量：${used}${budget === undefined ? "" : `／${budget}`}。`;
  },
  newestRun: "最新の初期時刻",
  newestText: "最新の情報",
  steps: "予報時刻数",
  stepsOf: ({ here, expected }) => `${expected}中${here}`,
  stepsHere: ({ title }) => `${title}の受信済み予報時刻数`,
  reachesTo: "予報の終わり",
  nextExpected: "次回の予定",
  lastFetched: "最終取得",
  from: "取得元",
  today: "今日",
  moment: ({ time, age }) => `${time} UTC（${age}）`,
  errorAt: ({ moment }) => `${moment}：`,
  quarantined: ({ count, command }) => [
    `${count}個のファイルを受け付けず、運営者のために保管しました：`,
    command,
  ],
  clockSlow: ({ minutes }) =>
    `複数のサーバーによると、このサーバーの時計は${minutes}分遅れています。時刻を合わせるまで、予報や嵐の経過時間は正しくない可能性があります。`,
  clockFast: ({ minutes }) =>
    `複数のサーバーによると、このサーバーの時計は${minutes}分進んでいます。時刻を合わせるまで、予報や嵐の経過時間は正しくない可能性があります。`,
  noFeeds: "有効なデータ源がありません。地図には手動で取り込んだデータか、架空のデモデータが表示されます。",
  turnOn: ({ start, plan }) => [
    "サーバーの運営者は、次の設定だけで実際の予報を取得できます：",
    start,
    "。1日のデータ量は",
    plan,
    "で事前に確認できます。",
  ],
};
