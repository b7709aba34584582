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
