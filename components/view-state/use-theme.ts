import { useLayoutEffect } from "react";
import { cookieOf, saveCookie } from "./device-setting.ts";
import { parseTheme, THEME_COOKIE, type Theme } from "./map-colours.ts";
import { useMediaQuery } from "./use-browser.ts";

/**
 * The theme in use: that of the link, or the one saved in this browser, or dusk if the system is dark. It is
 * also set on the document.
 *
 * @param linked Theme of the link.
 * @returns undefined until the page runs in a browser.
 */
export function useTheme(linked: Theme | null): Theme | undefined {
  const dark = useMediaQuery("(prefers-color-scheme: dark)");
  const saved = typeof document === "undefined" ? undefined : parseTheme(cookieOf(THEME_COOKIE));
  const theme = dark === undefined ? undefined : (linked ?? saved ?? (dark ? "dusk" : "light"));
  // This runs before the effects of components that read the document's colours.
  useLayoutEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
  }, [theme]);
  return theme;
}

/** Saves a theme for the next visit. */
export function saveTheme(theme: Theme): void {
  saveCookie(THEME_COOKIE, theme);
}
