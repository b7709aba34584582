import { isOffered, overlayNames, overlayTitle, toggled } from "#components/view-state/overlays.ts";
import { useView } from "#components/view-state/view-context.tsx";

/** Switches for what is drawn on top of the layer. */
export function OverlayList() {
  const { view, changeView } = useView();
  const offered = overlayNames.filter((name) => isOffered(name, view.l));
  return (
    <fieldset>
      <legend className="mb-1 text-muted text-xs">On top</legend>
      {offered.map((name) => (
        <label key={name} className="flex min-h-8 items-center gap-2 text-sm max-md:min-h-11">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={view.o.includes(name)}
            onChange={() => changeView({ o: toggled(view.o, name) })}
          />
          {overlayTitle(name, view.l)}
        </label>
      ))}
    </fieldset>
  );
}
