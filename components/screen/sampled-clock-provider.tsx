import { type ReactNode, use, useMemo } from "react";
import { ClockContext, sampledClock } from "#components/view-state/clock-context.ts";
import { derivedState } from "#components/view-state/shared-state.ts";
import { useChangeView } from "#components/view-state/view-context.tsx";
import { useWeather } from "./screen-context.tsx";

/**
 * When two pictures are compared, gives the components that show the sampled point the time of the picture in
 * which it was sampled.
 */
export function SampledClockProvider({ children }: { children: ReactNode }) {
  const clock = use(ClockContext);
  const changeView = useChangeView();
  const compared = useWeather("compare").compare?.wanted;
  // The panel has no numbers of earlier runs.
  const wanted = compared?.earlier === undefined ? compared : undefined;
  const value = useMemo(
    () =>
      wanted
        ? derivedState(clock, (times) =>
            sampledClock(times, wanted, (sampled) => changeView({ cmp: { ...wanted, sampled } })),
          )
        : clock,
    [clock, wanted, changeView],
  );
  return <ClockContext value={value}>{children}</ClockContext>;
}
