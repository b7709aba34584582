export const themes = ["light", "dusk", "night"] as const;

/** A set of colours; `app/themes.css` has the tokens of each. */
export type Theme = (typeof themes)[number];

export const themeTitles: Record<Theme, string> = { light: "Day", dusk: "Dusk", night: "Night" };

/** Cookie that keeps the choice, so that the server already renders in it: a white flash blinds at night. */
export const THEME_COOKIE = "theme";

/** The theme of a cookie or a link; undefined where it names none. */
export function themeOf(text: string | null | undefined): Theme | undefined {
  return themes.find((theme) => theme === text);
}
