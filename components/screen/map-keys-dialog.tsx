import { Dialog } from "#components/ui/dialog.tsx";
import { mapKeys } from "./map-keys.ts";
import { useScreen } from "./screen-context.tsx";

/** Keys of MapLibre itself. */
const libraryKeys = [
  { keys: "Arrows", does: "Move the map" },
  { keys: "+ −", does: "Zoom in, out" },
];

/** The help on the keys of the map, while it is open. */
export function MapKeysDialog() {
  const { helpOpen, setHelpOpen } = useScreen();
  if (!helpOpen) return null;
  const rows = [
    ...libraryKeys,
    ...mapKeys.map(({ keys, written, does }) => ({ keys: written ?? keys.join(" "), does })),
  ];
  return (
    <Dialog title="Keys of the map" onClose={() => setHelpOpen(false)}>
      <p className="mb-3 text-muted text-sm">
        They act while the map has the keyboard: press Tab until a cross stands in its middle.
      </p>
      <table className="w-full text-sm">
        <thead className="sr-only">
          <tr>
            <th scope="col">Key</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ keys, does }) => (
            <tr key={keys} className="border-line border-t">
              <th scope="row" className="py-1.5 pr-4 text-left font-medium">
                <kbd>{keys}</kbd>
              </th>
              <td className="py-1.5">{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
