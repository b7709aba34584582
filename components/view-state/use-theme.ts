import { useEffect, useSyncExternalStore } from "react";
import { parseTheme, THEME_COOKIE, type Theme } from "./themes.ts";

const YEAR_S = 31_536_000;
const darkSystem = "(prefers-color-scheme: dark)";

/**
 * The theme in force: that of the link, else the one saved in this browser, else dusk where the system is dark. Also sets
 * it on the document.
 *
 * @param linked Theme of the link.
 * @returns undefined until the page runs in a browser.
 */
export function useTheme(linked: Theme | null): Theme | undefined {
  const system = useSyncExternalStore(
    subscribeToSystem,
    () => (window.matchMedia(darkSystem).matches ? "dusk" : "light"),
    () => undefined,
  );
  const saved = typeof document === "undefined" ? undefined : parseTheme(cookie());
  const theme = system && (linked ?? saved ?? system);
  useEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
  }, [theme]);
  return theme;
}

/** Saves a theme for the next visit. */
export function saveTheme(theme: Theme): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

function cookie(): string | undefined {
  return new RegExp(`(?:^|; )${THEME_COOKIE}=([^;]*)`).exec(document.cookie)?.[1];
}

function subscribeToSystem(listener: () => void): () => void {
  const query = window.matchMedia(darkSystem);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
