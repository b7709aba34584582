export const themes = ["light", "dusk", "night"] as const;

/** A set of colours; `app/themes.css` defines its tokens. */
export type Theme = (typeof themes)[number];

/** Cookie with the choice, so that the server renders in it: a white flash blinds at night. */
export const THEME_COOKIE = "theme";

/** The theme named by a cookie or a link; undefined for any other text. */
export function parseTheme(text: string | null | undefined): Theme | undefined {
  return themes.find((theme) => theme === text);
}
