import { firstCompared } from "#components/view-state/compared.ts";
import { paintedBy } from "#components/view-state/overlays.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useScreen } from "./screen-context.tsx";

/** Two pictures side by side, or one again; not offered on the plain map, nor in a film, which has a time of its own. */
export function useCompareSwitch() {
  const { view, changeView } = useView();
  const { fixed } = useScreen();
  const layer = paintedBy(view.l);
  const offered = layer !== undefined && (view.storm === null || view.film === null);
  return {
    offered,
    isOn: view.cmp !== null && offered,
    toggle() {
      if (offered) changeView({ cmp: view.cmp ? null : firstCompared(layer, fixed) });
    },
  };
}
