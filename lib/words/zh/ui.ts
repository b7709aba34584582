import type { UiWords } from "../en/ui.ts";

export const ui: UiWords = {
  sentences: (sentences) => sentences.join(""),
  close: "关闭",
  copied: "已复制",
  cannotCopy: "此浏览器无法在这里复制",
  copyDetails: "复制详细信息",
  tryAgain: "重试",
  nextTry: (seconds) => `${seconds} 秒后重试。`,
  details: "详细信息",
  lower: "降低面板",
  raise: "升高面板",
  fold: "收起面板",
  unfold: "打开面板",
};
