import { useEffect, useState } from "react";
import { useView } from "#components/view-state/view-context.tsx";
import type { View } from "#components/view-state/view-url.ts";
import { useWords } from "#components/words/words-context.ts";
import { useScreen } from "./screen-context.tsx";

/** A map that waits for what cannot be read is printed as it is. */
const MAX_WAIT_MS = 3000;

/** Prints map and panel in the colours of the day, which the map is drawn in first. */
export function PrintButton() {
  const words = useWords();
  const { map } = useScreen();
  const { view, changeView, theme } = useView();
  const [former, setFormer] = useState<{ th: View["th"] }>();
  useEffect(() => {
    if (!former || theme !== "light") return;
    let isLeft = false;
    const print = async () => {
      await Promise.race([map.current?.drawn(), new Promise((done) => setTimeout(done, MAX_WAIT_MS))]);
      if (isLeft) return;
      // Not every browser waits in `print` until the dialog is closed.
      if (former.th !== "light")
        window.addEventListener("afterprint", () => changeView({ th: former.th }), { once: true });
      window.print();
      setFormer(undefined);
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
      {words.screen.panel.print}
    </button>
  );
}
