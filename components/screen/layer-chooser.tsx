import { Checkbox } from "#components/ui/checkbox.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import {
  isOffered,
  type LayerName,
  layerName,
  layers,
  overlayNames,
  overlayTitle,
  toggled,
} from "#components/view-state/overlays.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { Words } from "#lib/messages/words.ts";
import { useCompareSwitch } from "./use-map-keys.ts";

/** What the map shows: the layer, and what is drawn on top of it. */
export function LayerChooser() {
  const { view, changeView } = useView();
  const words = useWords();
  const { layers: texts } = words.screen;
  const underMore = layers.more.includes(view.l);
  const shown = layerName(view.l, words);
  return (
    <>
      <fieldset className="flex items-center gap-1 max-[56rem]:hidden">
        <legend className="sr-only">{texts.label}</legend>
        {layers.first.map((name) => layerButton(name, view.l, () => changeView({ l: name }), words))}
        <Menu
          label={underMore ? texts.moreShown({ name: shown }) : texts.moreLayers}
          button={
            <span className="flex items-center gap-1 px-2">
              {underMore ? shown : texts.more} <Icon name="down" className="size-3.5" />
            </span>
          }
        >
          <LayerSheet names={layers.more} />
        </Menu>
      </fieldset>
      <Menu
        // A long name gives way to the other controls.
        className="min-w-0 min-[56rem]:hidden"
        label={texts.of({ name: shown })}
        button={
          <span className="flex min-w-0 items-center gap-1 px-2">
            <span className="truncate">{shown}</span>
            <Icon name="down" className="size-3.5 shrink-0" />
          </span>
        }
      >
        <LayerSheet names={[...layers.first, ...layers.more]} />
      </Menu>
    </>
  );
}

function LayerSheet({ names }: { names: readonly LayerName[] }) {
  const words = useWords();
  const compare = useCompareSwitch();
  const { colours, onTop } = words.screen.layers;
  const { view, changeView } = useView();
  return (
    <div className="flex flex-col gap-3">
      {names.length > 0 ? (
        <fieldset className="grid grid-cols-2 gap-1">
          <legend className="mb-1 text-muted text-xs">{colours}</legend>
          {names.map((name) => layerButton(name, view.l, () => changeView({ l: name }), words))}
        </fieldset>
      ) : null}
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
  );
}

function layerButton(name: LayerName, shown: LayerName, choose: () => void, words: Words) {
  return (
    <button key={name} type="button" className="toggle" aria-pressed={name === shown} onClick={choose}>
      {layerName(name, words)}
    </button>
  );
}
