import type { Words } from "./en.ts";
import { access } from "./zh/access.ts";
import { catalog } from "./zh/catalog.ts";
import { compare } from "./zh/compare.ts";
import { dates } from "./zh/dates.ts";
import { docs } from "./zh/docs.ts";
import { legend } from "./zh/legend.ts";
import { lists } from "./zh/lists.ts";
import { map } from "./zh/map.ts";
import { point } from "./zh/point.ts";
import { position } from "./zh/position.ts";
import { screen } from "./zh/screen.ts";
import { ship } from "./zh/ship.ts";
import { status } from "./zh/status.ts";
import { stormCard } from "./zh/storm-card.ts";
import { storms } from "./zh/storms.ts";
import { tasks } from "./zh/tasks.ts";
import { time } from "./zh/time.ts";
import { ui } from "./zh/ui.ts";
import { verdict } from "./zh/verdict.ts";

export const zh: Words = {
  language: "zh",
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
