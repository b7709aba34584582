import type { ReactNode } from "react";

/** How good an answer is; `none` where nothing is known. */
export type VerdictTone = "ok" | "caution" | "danger" | "none";

const marks: Record<VerdictTone, string> = { ok: "✓", caution: "!", danger: "✕", none: "?" };

interface Props {
  tone: VerdictTone;
  /** One sentence that says it in words: the colour and the mark only repeat it. */
  title: ReactNode;
  /** The reason. */
  children?: ReactNode;
}

/** The answer of a panel, first in it: a mark, one sentence large, and below it why. */
export function Verdict({ tone, title, children }: Props) {
  return (
    <div className="verdict" data-tone={tone}>
      <p className="verdict-title">
        <span className="verdict-mark" aria-hidden="true">
          {marks[tone]}
        </span>
        <span>{title}</span>
      </p>
      {children ? <div className="verdict-reason">{children}</div> : null}
    </div>
  );
}
