import { access } from "./de/access.ts";
import { catalog } from "./de/catalog.ts";
import { compare } from "./de/compare.ts";
import { dates } from "./de/dates.ts";
import { legend } from "./de/legend.ts";
import { map } from "./de/map.ts";
import { point } from "./de/point.ts";
import { position } from "./de/position.ts";
import { screen } from "./de/screen.ts";
import { ship } from "./de/ship.ts";
import { storms } from "./de/storms.ts";
import { time } from "./de/time.ts";
import { ui } from "./de/ui.ts";
import type { Words } from "./en.ts";

export const de: Words = {
  language: "de",
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
