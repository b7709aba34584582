import dynamic from "next/dynamic";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { useArchive } from "#components/map/use-manifest.ts";
import { TimeBar } from "#components/time/time-bar.tsx";
import { layerName, paintedBy } from "#components/view-state/overlays.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { drawnVariables } from "#lib/catalog/colours.ts";
import { variable } from "#lib/catalog/variables.ts";
import { parseInstant } from "#lib/time.ts";
import { useScreen } from "./screen-context.tsx";

// Only who chooses a date needs it.
const TimePicker = dynamic(() => import("#components/time/time-picker.tsx").then((file) => file.TimePicker), {
  ssr: false,
});

/** The time bar of the map, and the dialog for a date and a time. */
export function TimeRegion() {
  const words = useWords();
  const { view } = useView();
  const { steps, drawnTime, drawnFixed, old, fixed, playback, pickerOpen, setPickerOpen } = useScreen();
  const painted = paintedBy(view.l);
  // What does not change with time has no archive: that of the first layer stands for the rest of the map.
  const dated = painted && !fixed ? painted : drawnVariables[0];
  const archive = useArchive(useApiKey(), dated, pickerOpen);
  return (
    <>
      <TimeBar
        runTime={fixed ? undefined : steps && parseInstant(steps.run.reference_time)}
        dataset={steps?.run.dataset}
        staticLayer={fixed ? layerName(view.l, words) : undefined}
        oldTime={old && !drawnFixed ? drawnTime : undefined}
        playing={playback.playing}
        onPlay={playback.toggle}
        onPick={() => setPickerOpen(true)}
      />
      {pickerOpen ? (
        <TimePicker
          archive={archive.data}
          error={archive.error}
          isArchiveOnly={variable(dated).archiveOnly === true}
          onClose={() => setPickerOpen(false)}
        />
      ) : null}
    </>
  );
}
