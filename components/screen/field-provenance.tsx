import { Provenance, SecondaryProvenance } from "#components/map/provenance.tsx";
import { layerTitle } from "#components/view-state/layers.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { useScreen } from "./screen-context.tsx";

/** Where all that the map draws comes from: the field, then lines and relief. */
export function FieldProvenance() {
  const words = useWords();
  const { zone } = useView();
  const { drawn, drawnSteps, drawnTime, drawnFixed, reach, now, lines, relief } = useScreen();
  return (
    <>
      {drawn && drawnSteps && drawnTime !== undefined ? (
        <Provenance
          title={layerTitle(drawn, words)}
          steps={drawnSteps}
          reach={reach}
          fixed={drawnFixed}
          time={drawnTime}
          now={now}
          zone={zone}
        />
      ) : null}
      <SecondaryProvenance fields={[...lines, relief]} />
    </>
  );
}
