import { useEffect, useSyncExternalStore } from "react";
import { THEME_COOKIE, type Theme, themeOf } from "./themes.ts";

const YEAR_S = 31_536_000;
const darkSystem = "(prefers-color-scheme: dark)";

/**
 * The theme in force: the link's, else the one that was chosen in this browser, else dusk where the system is dark.
 * It is set on the document; undefined until the page runs.
 *
 * @param linked Theme of the link.
 */
export function useTheme(linked: Theme | null): Theme | undefined {
  const system = useSyncExternalStore(
    listenToSystem,
    () => (window.matchMedia(darkSystem).matches ? "dusk" : "light"),
    () => undefined,
  );
  const chosen = typeof document === "undefined" ? undefined : themeOf(cookie());
  const theme = system && (linked ?? chosen ?? system);
  useEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
  }, [theme]);
  return theme;
}

/** Keeps a theme for the next visit. */
export function rememberTheme(theme: Theme): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

function cookie(): string | undefined {
  return new RegExp(`(?:^|; )${THEME_COOKIE}=([^;]*)`).exec(document.cookie)?.[1];
}

function listenToSystem(listener: () => void): () => void {
  const query = window.matchMedia(darkSystem);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
