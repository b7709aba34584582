import { useLayoutEffect } from "react";
import { cookieOf, saveCookie } from "./device-setting.ts";
import { parseTheme, THEME_COOKIE, type Theme } from "./map-colours.ts";
import { useMediaQuery } from "./use-browser.ts";

/**
 * The theme in force: that of the link, else the one saved in this browser, else dusk where the system is dark. Also sets
 * it on the document.
 *
 * @param linked Theme of the link.
 * @returns undefined until the page runs in a browser.
 */
export function useTheme(linked: Theme | null): Theme | undefined {
  const dark = useMediaQuery("(prefers-color-scheme: dark)");
  const saved = typeof document === "undefined" ? undefined : parseTheme(cookieOf(THEME_COOKIE));
  const theme = dark === undefined ? undefined : (linked ?? saved ?? (dark ? "dusk" : "light"));
  // Before the effects of what is drawn, which read the colours of the document.
  useLayoutEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
  }, [theme]);
  return theme;
}

/** Saves a theme for the next visit. */
export function saveTheme(theme: Theme): void {
  saveCookie(THEME_COOKIE, theme);
}
