import type { ReactNode } from "react";
import { StormPanel } from "#components/storms/storm-panel.tsx";
import { StormPeek } from "#components/storms/storm-peek.tsx";
import { StormsProvider } from "#components/storms/storms-context.tsx";

const nothing = () => undefined;

/** A part of the page among the storms, while no film plays. */
export const amongStorms = (part: ReactNode) => (
  <StormsProvider enabled={true} playback={{ playing: false, setPlaying: nothing }}>
    {part}
  </StormsProvider>
);

/** The panel of the storms, and what of it shows while the sheet is low. */
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
