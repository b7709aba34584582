import type { UiWords } from "../en/ui.ts";

export const ui: UiWords = {
  sentences: (sentences) => sentences.join(""),
  close: "閉じる",
  copied: "コピーしました",
  cannotCopy: "このブラウザーではここでコピーできません",
  copyDetails: "詳細をコピー",
  tryAgain: "再試行",
  nextTry: (seconds) => `${seconds}秒後に再試行します。`,
  details: "詳細",
  lower: "パネルを下げる",
  raise: "パネルを上げる",
  fold: "パネルをたたむ",
  unfold: "パネルを開く",
};
