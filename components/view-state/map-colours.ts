import { type ColourScale, colourTable } from "#lib/catalog/colours.ts";
import { duskTable, greyTable, nightTable } from "#lib/catalog/night.ts";

const tokens = [
  "land",
  "coast",
  "border",
  "sea",
  "shallow",
  "abyss",
  "graticule",
  "name",
  "sea-name",
  "ink",
  "halo",
  "current",
  "high",
  "low",
  "particle",
  "particle-edge",
  "storm",
  "danger",
  "likely-low",
  "likely-medium",
  "likely-high",
  "sample",
  "better",
  "sample-fill",
] as const;

export type MapColours = Record<(typeof tokens)[number], string>;

/** CSS colours of the map in the theme of an element: the tokens `--map-…` of app/themes.css. */
export function mapColours(element: Element): MapColours {
  const style = getComputedStyle(element);
  const colours = tokens.map((token) => [token, style.getPropertyValue(`--map-${token}`).trim()]);
  return Object.fromEntries(colours);
}

export const themes = ["light", "dusk", "night"] as const;

/** A set of colours; `app/themes.css` defines its tokens. */
export type Theme = (typeof themes)[number];

/** Cookie with the choice, so that the server renders in it: a white flash blinds at night. */
export const THEME_COOKIE = "theme";

/** The theme named by a cookie or a link; undefined for any other text. */
export function parseTheme(text: string | null | undefined): Theme | undefined {
  return themes.find((theme) => theme === text);
}

/** Colour table of a field in a theme. @param old The field is of another time than the one wanted. */
export function themedTable(scale: ColourScale, theme: Theme, old = false): Uint8Array<ArrayBuffer> {
  const table = colourTable(scale);
  // Grey has blue in it, which eyes used to the dark must not see: at night an old field is dimmed.
  if (theme === "night") {
    const red = nightTable(table, scale.lightByNight);
    return old ? duskTable(red) : red;
  }
  const shown = old ? greyTable(table) : table;
  return theme === "dusk" ? duskTable(shown) : shown;
}
