import { type ReactNode, useMemo } from "react";
import { ClockContext, sampledClock, useClock } from "#components/view-state/clock-context.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useScreen } from "./screen-context.tsx";

/**
 * When two pictures are compared, gives the components that show the sampled point the time of the picture in
 * which it was sampled.
 */
export function SampledClockProvider({ children }: { children: ReactNode }) {
  const clock = useClock();
  const { changeView } = useView();
  const wanted = useScreen().compare?.wanted;
  const value = useMemo(
    () =>
      wanted ? sampledClock(clock, wanted, (sampled) => changeView({ cmp: { ...wanted, sampled } })) : clock,
    [clock, wanted, changeView],
  );
  return <ClockContext value={value}>{children}</ClockContext>;
}
