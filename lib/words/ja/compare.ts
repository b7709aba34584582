import type { CompareWords, RunSpread } from "../en/compare.ts";

export const compare: CompareWords = {
  title: "並べて表示",
  open: "並べて比較",
  close: "比較を終了",
  side: { a: "A", b: "B" },
  where: { a: "A（左）", b: "B（右）" },
  of: ({ side, text }: { side: "a" | "b"; text: string }) => `${side === "a" ? "A" : "B"}：${text}`,
  layer: "Bのレイヤー",
  time: "Bの時刻",
  fixed: "時刻によらず同じ",
  run: (run: string) => `初期時刻 ${run} UTC`,
  nothing: (title: string) => `${title}は描かれていません。`,
  loading: ({ title, time }: { title: string; time: string }) =>
    `${title}${time === "" ? "" : `（${time}）`}を読み込み中…`,
  none: ({ title, time }: { title: string; time: string }) =>
    `${time}の${title}はデータにありません。何も描かれていません。`,
  failed: (title: string) => `${title}：サーバーが応答できませんでした。`,
  divider: "AとBの境界",
  dividerAt: ({ percent, a, b }: { percent: number; a: string; b: string }) =>
    `A（${a}）は幅の${percent}%、その右はB（${b}）`,
  hours: (hours: number) => (hours === 0 ? "同じ時刻" : hours > 0 ? `${hours}時間後` : `${-hours}時間前`),
  runs: {
    show: "過去の予報",
    reading: "過去の予報を読み込み中…",
    failed: "過去の予報を読み込めませんでした。",
    only: "この地点の予報は1回分だけです。比較する予報がありません。",
    none: "この時刻の予報はありません。",
    same: ({ name, count }: { name: string; count: number }) => `${name}：最新${count}回の予報は同じです。`,
    agree: ({ name, count, within }: { name: string; count: number; within: string }) =>
      `${name}：最新${count}回の予報の差は${within}以内です。`,
    until: ({ name, count, within, until, most, at }: RunSpread & { within: string; until: string }) =>
      `${name}：最新${count}回の予報の差は${until}まで${within}以内、その後は最大${most}（${at}）です。`,
    differ: ({ name, count, most, at }: RunSpread) =>
      `${name}：最新${count}回の予報は初めから差があり、最大${most}（${at}）です。`,
    fewer: ({ found, asked }: { found: number; asked: number }) =>
      `${asked}回のうち${found}回の予報があります。サービスは最新の予報だけを保存しているか、それより前は公開されていません。`,
    invented: "デモデータ：以前の予報との差は架空のものです。",
    lines: "細線：以前の予報。",
    numbers: "各予報の数値",
    caption: (title: string) => `${title}、初期時刻別（UTC）`,
    time: "時刻",
    newest: (run: string) => `${run}（最新）`,
    quantity: "要素",
  },
};
