import type { Words } from "./en.ts";
import { access } from "./fr/access.ts";
import { catalog } from "./fr/catalog.ts";
import { compare } from "./fr/compare.ts";
import { dates } from "./fr/dates.ts";
import { legend } from "./fr/legend.ts";
import { map } from "./fr/map.ts";
import { point } from "./fr/point.ts";
import { position } from "./fr/position.ts";
import { screen } from "./fr/screen.ts";
import { ship } from "./fr/ship.ts";
import { storms } from "./fr/storms.ts";
import { time } from "./fr/time.ts";
import { ui } from "./fr/ui.ts";

export const fr: Words = {
  language: "fr",
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
