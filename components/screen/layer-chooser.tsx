import { Checkbox } from "#components/ui/checkbox.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { type LayerName, layerName, layers } from "#components/view-state/layers.ts";
import { isOffered, overlayNames, overlayTitle, toggled } from "#components/view-state/overlays.ts";
import { useView } from "#components/view-state/view-context.tsx";

/** What the map shows: the layer, and what is drawn on top of it. */
export function LayerChooser() {
  const { view, changeView } = useView();
  const underMore = layers.more.includes(view.l);
  return (
    <>
      <fieldset className="flex items-center gap-1 max-[56rem]:hidden">
        <legend className="sr-only">Layer</legend>
        {layers.first.map((name) => layerButton(name, view.l, () => changeView({ l: name })))}
        <Menu
          label={underMore ? `More layers, ${layerName(view.l)} is shown` : "More layers"}
          button={
            <span className="flex items-center gap-1 px-2">
              {underMore ? layerName(view.l) : "More"} <Icon name="down" className="size-3.5" />
            </span>
          }
        >
          <LayerSheet names={layers.more} />
        </Menu>
      </fieldset>
      <Menu
        // A long name gives way to the other controls.
        className="min-w-0 min-[56rem]:hidden"
        label={`Layer: ${layerName(view.l)}`}
        button={
          <span className="flex min-w-0 items-center gap-1 px-2">
            <span className="truncate">{layerName(view.l)}</span>
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
  const { view, changeView } = useView();
  return (
    <div className="flex flex-col gap-3">
      {names.length > 0 ? (
        <fieldset className="grid grid-cols-2 gap-1">
          <legend className="mb-1 text-muted text-xs">Colours</legend>
          {names.map((name) => layerButton(name, view.l, () => changeView({ l: name })))}
        </fieldset>
      ) : null}
      <fieldset>
        <legend className="mb-1 text-muted text-xs">On top</legend>
        {overlayNames
          .filter((name) => isOffered(name, view.l))
          .map((name) => (
            <Checkbox
              key={name}
              checked={view.o.includes(name)}
              onChange={() => changeView({ o: toggled(view.o, name) })}
            >
              {overlayTitle(name, view.l)}
            </Checkbox>
          ))}
      </fieldset>
    </div>
  );
}

function layerButton(name: LayerName, shown: LayerName, choose: () => void) {
  return (
    <button key={name} type="button" className="toggle" aria-pressed={name === shown} onClick={choose}>
      {layerName(name)}
    </button>
  );
}
