import { type ReactNode, useEffect, useState } from "react";
import { createPortal, flushSync } from "react-dom";

interface Props {
  /** Called after printing or cancelling. */
  onEnd(): void;
  children: ReactNode;
}

/** Content that is printed in place of the page. */
export function PrintedPage({ onEnd, children }: Props) {
  const [sheet, setSheet] = useState<Element | null>(null);
  useEffect(() => {
    // The page is printed as soon as the listeners have returned, so rendering must be synchronous.
    const begin = () => flushSync(() => setSheet(document.querySelector(".print-sheet")));
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", onEnd);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", onEnd);
    };
  }, [onEnd]);
  return sheet ? createPortal(<div className="printed-page">{children}</div>, sheet) : null;
}
