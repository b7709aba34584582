/**
 * Whether the page was opened for tests that read pixels (`?e2e`): a colour table that says its own index, a drawing
 * buffer that can be read, nothing that fades.
 */
export function isProbed(): boolean {
  return new URLSearchParams(window.location.search).has("e2e");
}

/** Whether the test wants the first plane of the field painted (`?e2e=plane`): a vector's length hides its sense. */
export function isFirstBandProbed(): boolean {
  return new URLSearchParams(window.location.search).get("e2e") === "plane";
}
