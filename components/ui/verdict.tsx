import type { ReactNode } from "react";

/** How favourable an answer is; `none` if nothing is known. */
export type VerdictTone = "ok" | "caution" | "danger" | "none";

const marks: Record<VerdictTone, string> = { ok: "✓", caution: "!", danger: "✕", none: "?" };

interface Props {
  tone: VerdictTone;
  /** One sentence that states it in words; colour and mark only repeat it. */
  title: ReactNode;
  /** The reason. */
  children?: ReactNode;
}

/** The answer at the top of a panel: a mark, one large sentence, and the reason below. */
export function Verdict({ tone, title, children }: Props) {
  return (
    <div className="verdict" data-tone={tone}>
      <p className="verdict-title">
        <span className="verdict-mark" aria-hidden="true">
          {marks[tone]}
        </span>
        <span>{title}</span>
      </p>
      {children ? <div className="mt-0.5 text-[0.875rem]">{children}</div> : null}
    </div>
  );
}
