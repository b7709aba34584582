import path from "node:path";
import { type TileOverlay, tileOverlayFile } from "#lib/contract/tile-overlay.ts";
import { readYaml, WrongFileError, yamlFiles } from "#server/platform/yaml-file.ts";

/** Name of a file without its suffix; it is the id of the overlay in links. */
const ID = /^[a-z][a-z0-9-]{0,30}$/;

/** Reads the overlays of DATA_DIR/overlays, ordered by file name. @throws WrongFileError */
export function readTileOverlays(folder: string): TileOverlay[] {
  const overlays = yamlFiles(folder).map((name) => readTileOverlay(path.join(folder, name)));
  const twice = overlays.find(({ id }, index) => overlays.findIndex((other) => other.id === id) < index);
  if (twice) throw new WrongFileError(`${folder}: two files have the name ${twice.id}`);
  return overlays;
}

function readTileOverlay(file: string): TileOverlay {
  const { name: id } = path.parse(file);
  if (!ID.test(id))
    throw new WrongFileError(
      `${file}: its name needs small letters, digits and hyphens, as in sea-marks.yaml`,
    );
  return { ...readYaml(file, tileOverlayFile, unknownKey).value, id };
}

const unknownKey = (at: readonly PropertyKey[]) =>
  at.length === 0
    ? `there is no such key; there are ${Object.keys(tileOverlayFile.shape).join(", ")}`
    : "there is no such key";
