import { Dialog } from "#components/ui/dialog.tsx";
import { useWords } from "#components/words/words-context.ts";
import { mapKeys } from "./map-keys.ts";
import { useScreen } from "./screen-context.tsx";

/** The help on the keys of the map, while it is open. */
export function MapKeysDialog() {
  const { keys: words } = useWords().screen;
  const { helpOpen, setHelpOpen } = useScreen();
  if (!helpOpen) return null;
  const rows = [
    // Keys of MapLibre itself.
    { written: words.arrows, does: words.does.move },
    { written: "+ −", does: words.does.zoom },
    ...mapKeys.map(({ keys, written, does }) => ({
      written: written ? words[written] : keys.join(" "),
      does: words.does[does],
    })),
  ];
  return (
    <Dialog title={words.title} onClose={() => setHelpOpen(false)}>
      <p className="mb-3 text-muted text-sm">{words.text}</p>
      <table className="w-full text-sm">
        <thead className="sr-only">
          <tr>
            <th scope="col">{words.key}</th>
            <th scope="col">{words.effect}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ written, does }) => (
            <tr key={written} className="border-line border-t">
              <th scope="row" className="py-1.5 pr-4 text-left font-medium">
                <kbd>{written}</kbd>
              </th>
              <td className="py-1.5">{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
