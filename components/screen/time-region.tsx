import { TimeBar } from "#components/time/time-bar.tsx";
import { layerName } from "#components/view-state/layers.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { parseInstant } from "#lib/time.ts";
import { useScreen } from "./screen-context.tsx";
import { useWeather } from "./weather-context.tsx";

/** The time bar of the layer that is shown. */
export function TimeRegion() {
  const { view } = useView();
  const { steps, fixed, forecastFrom } = useWeather();
  const { playback } = useScreen();
  return (
    <TimeBar
      runTime={fixed ? undefined : steps && parseInstant(steps.run.reference_time)}
      dataset={steps?.run.dataset}
      staticLayer={fixed ? layerName(view.l) : undefined}
      forecastFrom={forecastFrom}
      playing={playback.playing}
      onPlay={playback.toggle}
    />
  );
}
