import { access } from "./en/access.ts";
import { catalog } from "./en/catalog.ts";
import { compare } from "./en/compare.ts";
import { dates } from "./en/dates.ts";
import { legend } from "./en/legend.ts";
import { map } from "./en/map.ts";
import { point } from "./en/point.ts";
import { position } from "./en/position.ts";
import { screen } from "./en/screen.ts";
import { ship } from "./en/ship.ts";
import { storms } from "./en/storms.ts";
import { time } from "./en/time.ts";
import { ui } from "./en/ui.ts";
import type { Language } from "./language.ts";

/** The words in English that every page needs, the first view of the map among them; others come late (late.ts). Other languages have the same form. */
export const en = {
  language: "en" as Language,
  catalog,
  compare,
  dates,
  ui,
  access,
  screen,
  position,
  map,
  legend,
  time,
  point,
  storms,
  ship,
};

/** The words of every page in one language, by the part of the page that they stand in. */
export type Words = typeof en;
