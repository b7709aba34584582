import { Provenance, SecondaryProvenance } from "#components/map/provenance.tsx";
import type { Side } from "#components/view-state/compared.ts";
import { layerTitle } from "#components/view-state/overlays.ts";
import { useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { PaintedName } from "#lib/catalog/painted.ts";
import { useWeather } from "./screen-context.tsx";

/** Sources of everything that the map draws: the field, then lines and relief. */
export function FieldProvenance() {
  const words = useWords();
  const zone = useZone();
  const { drawn, drawnSteps, drawnTime, drawnFixed, reach, now, lines, relief, compare } = useWeather(
    "drawn",
    "drawnSteps",
    "drawnTime",
    "drawnFixed",
    "reach",
    "now",
    "lines",
    "relief",
    "compare",
  );
  const titleOf = (layer: PaintedName, side: Side) => {
    const title = layerTitle(layer, words);
    return compare ? words.compare.of({ side, text: title }) : title;
  };
  return (
    <>
      {drawn && drawnSteps && drawnTime !== undefined ? (
        <Provenance
          title={titleOf(drawn, "a")}
          steps={drawnSteps}
          reach={reach}
          fixed={drawnFixed}
          time={drawnTime}
          now={now}
          zone={zone}
        />
      ) : null}
      {compare?.drawn && compare.steps ? (
        <Provenance
          title={titleOf(compare.drawn, "b")}
          steps={compare.steps}
          reach={undefined}
          fixed={compare.drawnTime === undefined}
          time={compare.steps.time}
          now={now}
          zone={zone}
        />
      ) : null}
      <SecondaryProvenance fields={[...lines, relief]} />
    </>
  );
}
