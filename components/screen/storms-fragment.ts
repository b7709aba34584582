/** Where the list of storms is: on the map, which opens it for this fragment. */
export const STORMS_FRAGMENT = "#storms";

/** Whether the address asks for the list of storms. It does so once: the fragment is removed, so that the list can be left. */
export function takeStormsFragment(): boolean {
  const { hash, pathname, search } = window.location;
  if (hash !== STORMS_FRAGMENT) return false;
  window.history.replaceState(window.history.state, "", pathname + search);
  return true;
}
