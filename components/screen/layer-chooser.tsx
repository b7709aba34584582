import { Checkbox } from "#components/ui/checkbox.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import {
  isOffered,
  layerName,
  layerNames,
  overlayNames,
  overlayTitle,
  toggled,
} from "#components/view-state/overlays.ts";
import { useChangeView, useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { useCompareSwitch } from "./use-map-keys.ts";

/** Choice of the layer and of what is drawn on top of it. */
export function LayerChooser() {
  const view = useView("l", "o");
  const changeView = useChangeView();
  const words = useWords();
  const { layers: texts } = words.screen;
  const { colours, onTop } = texts;
  const compare = useCompareSwitch();
  const shown = layerName(view.l, words);
  return (
    <Menu
      // A long name is shortened in favour of the other controls.
      className="min-w-0 shrink-0 max-w-[45%]"
      label={texts.of({ name: shown })}
      button={
        <span className="flex min-w-0 items-center gap-1 px-2.5">
          <span className="truncate">{shown}</span>
          <Icon name="down" className="size-3.5 shrink-0" />
        </span>
      }
    >
      {(close) => (
        <div className="flex flex-col gap-3">
          <fieldset className="grid grid-cols-2 gap-1">
            <legend className="mb-1 text-muted text-xs">{colours}</legend>
            {layerNames.map((name) => (
              <button
                key={name}
                type="button"
                className="toggle whitespace-normal leading-tight"
                aria-pressed={name === view.l}
                onClick={() => {
                  changeView({ l: name });
                  // The menu closes so that the result is visible; on a phone it covers most of the map.
                  close();
                }}
              >
                {layerName(name, words)}
              </button>
            ))}
          </fieldset>
          <fieldset>
            <legend className="mb-1 text-muted text-xs">{onTop}</legend>
            {overlayNames
              .filter((name) => isOffered(name, view.l))
              .map((name) => (
                <Checkbox
                  key={name}
                  checked={view.o.includes(name)}
                  onChange={() => changeView({ o: toggled(view.o, name) })}
                >
                  {overlayTitle(name, view.l, words)}
                </Checkbox>
              ))}
          </fieldset>
          {compare.offered ? (
            <button type="button" className="toggle" aria-pressed={compare.isOn} onClick={compare.toggle}>
              {words.compare.open}
            </button>
          ) : null}
        </div>
      )}
    </Menu>
  );
}
