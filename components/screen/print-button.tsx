import { useEffect, useState } from "react";
import { useView } from "#components/view-state/view-context.tsx";
import type { View } from "#components/view-state/view-url.ts";
import { useScreen } from "./screen-context.tsx";

/** Prints map and panel in the colours of the day, which the map is drawn in first. */
export function PrintButton() {
  const { map } = useScreen();
  const { view, changeView, theme } = useView();
  const [former, setFormer] = useState<{ th: View["th"] }>();
  useEffect(() => {
    if (!former || theme !== "light") return;
    let isLeft = false;
    const print = async () => {
      await map.current?.drawn();
      if (isLeft) return;
      // Returns when the dialog is closed, except on phones, whose dialogs are not waited for: they have their copy by then.
      window.print();
      setFormer(undefined);
      if (former.th !== "light") changeView({ th: former.th });
    };
    void print();
    return () => {
      isLeft = true;
    };
  }, [former, theme, map, changeView]);
  const start = () => {
    setFormer({ th: view.th });
    if (theme !== "light") changeView({ th: "light" });
  };
  return (
    <button type="button" className="button px-3" disabled={former !== undefined} onClick={start}>
      Print
    </button>
  );
}
