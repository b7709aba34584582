import { Checkbox } from "#components/ui/checkbox.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import {
  favouriteLayers,
  isOffered,
  type LayerName,
  layerGroups,
  layerName,
  overlayNames,
  overlayTitle,
  paintedBy,
  toggled,
} from "#components/view-state/overlays.ts";
import { tileTitle, useTileOverlays } from "#components/view-state/tile-overlays.ts";
import { useInteracted } from "#components/view-state/use-browser.ts";
import { useChangeView, useView, useZone } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { paintedStatistic } from "#lib/catalog/painted.ts";
import type { TileOverlay } from "#lib/contract/tile-overlay.ts";
import { pictureTime } from "#lib/tile-pictures.ts";
import { HowSure } from "./late-how-sure.ts";
import { LayerIcon } from "./layer-icon.tsx";
import { ModelSelect } from "./model-select.tsx";
import { useWeather } from "./screen-context.tsx";
import { useCompareSwitch } from "./use-map-keys.ts";

/**
 * Choice of the layer and of what is drawn on top of it: on wide screens a rail of icons with the favourites,
 * and everywhere a menu with all.
 */
export function LayerChooser() {
  const view = useView("l", "o", "model", "u");
  const changeView = useChangeView();
  const words = useWords();
  const { layers: texts, model: modelTexts } = words.screen;
  const { models } = useWeather("models");
  const compare = useCompareSwitch();
  const shown = layerName(view.l, words, view.u);
  const painted = paintedBy(view.l);
  const isStatistic = painted !== undefined && paintedStatistic(painted) !== undefined;
  const interacted = useInteracted();
  const isFavourite = favouriteLayers.some((name) => name === view.l);
  return (
    <div className="flex min-w-0 items-center gap-1 max-[60rem]:max-w-[45%] max-[60rem]:shrink-0">
      {favouriteLayers.map((name) => (
        <LayerButton
          key={name}
          layer={name}
          isShown={name === view.l}
          onChoose={() => changeView({ l: name })}
        />
      ))}
      <Menu
        // A long name is shortened in favour of the other controls.
        className="min-w-0"
        label={texts.of({ name: shown })}
        button={
          <>
            <span
              className={`flex min-w-0 items-center gap-1.5 px-2.5 ${isFavourite ? "min-[60rem]:hidden" : ""}`}
            >
              <LayerIcon layer={view.l} />
              <span className="truncate">{shown}</span>
              <Icon name="down" className="size-3.5" />
            </span>
            <span className={`items-center px-2.5 ${isFavourite ? "hidden min-[60rem]:flex" : "hidden"}`}>
              <Icon name="more" />
            </span>
          </>
        }
      >
        {(close) => (
          <div className="flex flex-col gap-3">
            {layerGroups.map(({ group, layers }) => (
              <fieldset key={group} className="grid grid-cols-4 gap-1">
                <legend className="mb-1 text-muted text-xs">{texts.groups[group]}</legend>
                {layers.map((name) => (
                  <button
                    key={name}
                    type="button"
                    className="toggle flex h-auto min-h-16 flex-col items-center gap-1 whitespace-normal px-0.5 pt-2 pb-1.5 text-center text-[0.6875rem] leading-[1.2] hyphens-auto wrap-anywhere"
                    aria-pressed={name === view.l}
                    onClick={() => {
                      changeView({ l: name });
                      // The menu closes so that the result is visible; on a phone it covers most of the map.
                      close();
                    }}
                  >
                    <LayerIcon layer={name} className="size-6" />
                    <span>{layerName(name, words)}</span>
                  </button>
                ))}
              </fieldset>
            ))}
            <fieldset className="grid grid-cols-2 gap-x-3">
              <legend className="mb-1 text-muted text-xs">{texts.onTop}</legend>
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
            <OtherLayers />
            {models.length > 0 || (view.model !== null && !isStatistic) ? (
              <fieldset>
                <legend className="mb-1 text-muted text-xs">{modelTexts.label}</legend>
                <ModelSelect
                  label={modelTexts.label}
                  none={modelTexts.best}
                  value={view.model}
                  models={models}
                  onChange={(model) => changeView({ model })}
                />
              </fieldset>
            ) : null}
            {compare.offered ? (
              <button
                type="button"
                className="toggle"
                aria-pressed={compare.isOn}
                onClick={() => {
                  compare.toggle();
                  close();
                }}
              >
                {words.compare.open}
              </button>
            ) : null}
          </div>
        )}
      </Menu>
      {interacted || isStatistic ? (
        <HowSure className="hidden items-center whitespace-nowrap min-[75rem]:flex" />
      ) : null}
    </div>
  );
}

/** Switches of the tiles of other services; each states the time of its picture. */
function OtherLayers() {
  const offered = useTileOverlays();
  const { x: chosen } = useView("x");
  const changeView = useChangeView();
  const zone = useZone();
  const { time, now } = useClock("time", "now");
  const { layers: texts } = zone.words.screen;
  if (offered.length === 0) return null;
  const textOf = (overlay: TileOverlay) => {
    const title = tileTitle(overlay, zone.words.language);
    if (!overlay.time) return title;
    const picture = time === undefined ? undefined : pictureTime(overlay.time, time, now);
    return picture === undefined
      ? texts.noPicture({ title })
      : texts.picture({ title, time: `${formatShortTime(picture, zone)} ${zone.label(picture)}` });
  };
  return (
    <fieldset>
      <legend className="mb-1 text-muted text-xs">{texts.others}</legend>
      {offered.map((overlay) => (
        <Checkbox
          key={overlay.id}
          checked={chosen.includes(overlay.id)}
          onChange={(isOn) =>
            changeView({ x: [...chosen.filter((id) => id !== overlay.id), ...(isOn ? [overlay.id] : [])] })
          }
        >
          {textOf(overlay)}
        </Checkbox>
      ))}
    </fieldset>
  );
}

interface ButtonProps {
  layer: LayerName;
  isShown: boolean;
  onChoose(): void;
}

/** A favourite; the shown one also has its name beside the icon. */
function LayerButton({ layer, isShown, onChoose }: ButtonProps) {
  const name = layerName(layer, useWords());
  return (
    <button
      type="button"
      className="layer-button hidden min-h-10 min-w-10 flex-none items-center justify-center gap-1.5 rounded-md px-2.5 font-medium text-[0.875rem] text-muted hover:bg-page hover:text-text aria-pressed:bg-accent aria-pressed:text-on-accent min-[60rem]:flex pointer-coarse:min-h-11 pointer-coarse:min-w-11"
      aria-label={name}
      aria-pressed={isShown}
      title={name}
      onClick={onChoose}
    >
      <LayerIcon layer={layer} />
      {isShown ? <span className="truncate">{name}</span> : null}
    </button>
  );
}
