import type { Words } from "./en.ts";
import { access } from "./pt/access.ts";
import { catalog } from "./pt/catalog.ts";
import { compare } from "./pt/compare.ts";
import { dates } from "./pt/dates.ts";
import { legend } from "./pt/legend.ts";
import { map } from "./pt/map.ts";
import { point } from "./pt/point.ts";
import { position } from "./pt/position.ts";
import { screen } from "./pt/screen.ts";
import { ship } from "./pt/ship.ts";
import { storms } from "./pt/storms.ts";
import { time } from "./pt/time.ts";
import { ui } from "./pt/ui.ts";

export const pt: Words = {
  language: "pt",
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
