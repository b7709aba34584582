import type { Words } from "./en.ts";
import { access } from "./es/access.ts";
import { catalog } from "./es/catalog.ts";
import { compare } from "./es/compare.ts";
import { dates } from "./es/dates.ts";
import { legend } from "./es/legend.ts";
import { map } from "./es/map.ts";
import { point } from "./es/point.ts";
import { position } from "./es/position.ts";
import { screen } from "./es/screen.ts";
import { ship } from "./es/ship.ts";
import { storms } from "./es/storms.ts";
import { time } from "./es/time.ts";
import { ui } from "./es/ui.ts";

export const es: Words = {
  language: "es",
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
