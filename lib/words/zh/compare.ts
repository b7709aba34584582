import type { CompareWords, RunSpread } from "../en/compare.ts";

export const compare: CompareWords = {
  title: "并排显示",
  open: "并排比较",
  close: "结束比较",
  side: { a: "A", b: "B" },
  where: { a: "A（左）", b: "B（右）" },
  of: ({ side, text }: { side: "a" | "b"; text: string }) => `${side === "a" ? "A" : "B"}：${text}`,
  layer: "B 的图层",
  time: "B 的时间",
  fixed: "不随时间变化",
  run: (run: string) => `起报 ${run} UTC`,
  nothing: (title: string) => `${title}未绘制。`,
  loading: ({ title, time }: { title: string; time: string }) =>
    `正在加载${title}${time === "" ? "" : `（${time}）`}…`,
  none: ({ title, time }: { title: string; time: string }) => `没有${time}的${title}数据：未绘制任何内容。`,
  failed: (title: string) => `${title}：服务器未能应答。`,
  divider: "A 与 B 的分界线",
  dividerAt: ({ percent, a, b }: { percent: number; a: string; b: string }) =>
    `A（${a}）占宽度的 ${percent}%，其右为 B（${b}）`,
  hours: (hours: number) => (hours === 0 ? "同一时间" : hours > 0 ? `${hours} 小时后` : `${-hours} 小时前`),
  runs: {
    show: "最近几次预报",
    reading: "正在读取最近几次预报…",
    failed: "无法读取最近几次预报。",
    only: "该地点只有一次预报，无可比较。",
    none: "这些时间没有预报。",
    same: ({ name, count }: { name: string; count: number }) => `${name}：最近 ${count} 次预报相同。`,
    agree: ({ name, count, within }: { name: string; count: number; within: string }) =>
      `${name}：最近 ${count} 次预报相差不超过 ${within}。`,
    until: ({ name, count, within, until, most, at }: RunSpread & { within: string; until: string }) =>
      `${name}：最近 ${count} 次预报在 ${until} 之前相差不超过 ${within}，之后最多相差 ${most}（${at}）。`,
    differ: ({ name, count, most, at }: RunSpread) =>
      `${name}：最近 ${count} 次预报从一开始就有差异，最多相差 ${most}（${at}）。`,
    fewer: ({ found, asked }: { found: number; asked: number }) =>
      `${asked} 次预报中有 ${found} 次：服务只保留最新的几次，或更早的从未发布。`,
    invented: "演示数据：以前各次预报的差异是虚构的。",
    lines: "细线：以前的预报。",
    numbers: "各次预报的数值",
    caption: (title: string) => `${title}，按起报时间（UTC）`,
    time: "时间",
    newest: (run: string) => `${run}（最新）`,
    quantity: "要素",
  },
};
