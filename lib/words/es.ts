import type { Words } from "./en.ts";
import { access } from "./es/access.ts";
import { catalog } from "./es/catalog.ts";
import { compare } from "./es/compare.ts";
import { dates } from "./es/dates.ts";
import { docs } from "./es/docs.ts";
import { legend } from "./es/legend.ts";
import { lists } from "./es/lists.ts";
import { map } from "./es/map.ts";
import { point } from "./es/point.ts";
import { position } from "./es/position.ts";
import { screen } from "./es/screen.ts";
import { ship } from "./es/ship.ts";
import { status } from "./es/status.ts";
import { stormCard } from "./es/storm-card.ts";
import { storms } from "./es/storms.ts";
import { tasks } from "./es/tasks.ts";
import { time } from "./es/time.ts";
import { ui } from "./es/ui.ts";
import { verdict } from "./es/verdict.ts";

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
  stormCard,
  verdict,
  ship,
  tasks,
  lists,
  docs,
  status,
};
