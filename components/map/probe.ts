/**
 * Whether the page runs in a pixel test (`?e2e`): its colour table encodes its own index, its drawing buffer
 * can be read, and nothing fades.
 */
export function isProbed(): boolean {
  return new URLSearchParams(window.location.search).has("e2e");
}

/** Whether the test paints the first band of the field (`?e2e=plane`): the length of a vector hides its sign. */
export function isFirstBandProbed(): boolean {
  return new URLSearchParams(window.location.search).get("e2e") === "plane";
}
