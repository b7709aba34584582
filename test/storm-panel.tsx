import type { ReactNode } from "react";
import { StormPanel } from "#components/storms/storm-panel.tsx";
import { StormPeek } from "#components/storms/storm-peek.tsx";
import { StormsProvider } from "#components/storms/storms-context.tsx";
import { useClock } from "#components/view-state/clock-context.ts";

const nothing = () => undefined;

function Among({ children }: { children: ReactNode }) {
  const { time, drawn = time } = useClock("time", "drawn");
  return (
    <StormsProvider enabled={true} time={drawn} playback={{ playing: false, setPlaying: nothing }}>
      {children}
    </StormsProvider>
  );
}

/** Renders a part of the page inside the storms' provider, while no film plays. */
export const amongStorms = (part: ReactNode) => <Among>{part}</Among>;

/** The panel of the storms, and its lines while the sheet is low. */
export const stormPanel = amongStorms(
  <>
    <StormPanel
      onOpen={nothing}
      onBack={nothing}
      onShip={nothing}
      onShowPlace={nothing}
      onShowWhole={nothing}
    />
    <StormPeek />
  </>,
);
