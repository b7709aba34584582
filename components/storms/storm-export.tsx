import { Menu } from "#components/ui/menu.tsx";
import { saveFile } from "#components/ui/save-file.ts";
import { useWords } from "#components/words/words-context.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import type { DangerMethod } from "#lib/contract/storm-providers.ts";
import { stormCsv, stormGpx, stormsGeojson } from "#lib/storms/export.ts";

/** Files for plotters and other programs: track, cone and danger area as shown. */
export function StormExport({ entry, method }: { entry: StormEntry; method: DangerMethod }) {
  const { save } = useWords("stormCard").stormCard;
  const files = [
    [save.geojson, "geojson", "application/geo+json", () => JSON.stringify(stormsGeojson([entry], method))],
    [save.gpx, "gpx", "application/gpx+xml", () => stormGpx(entry, method)],
    [save.track, "track.csv", "text/csv", () => stormCsv(entry, "track", method)],
    [save.cone, "cone.csv", "text/csv", () => stormCsv(entry, "cone", method)],
    [save.danger, "danger.csv", "text/csv", () => stormCsv(entry, "danger", method)],
  ] as const;
  return (
    <Menu button={<span className="px-2">{save.button}</span>}>
      {(close) => (
        <ul className="space-y-1">
          {files.map(([label, extension, type, write]) => (
            <li key={extension}>
              <button
                type="button"
                className="toggle w-full text-left"
                onClick={() => {
                  close();
                  saveFile(`${entry.provider}-${entry.id}.${extension}`, new Blob([write()], { type }));
                }}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Menu>
  );
}
