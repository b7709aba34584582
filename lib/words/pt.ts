import type { Words } from "./en.ts";
import { access } from "./pt/access.ts";
import { catalog } from "./pt/catalog.ts";
import { compare } from "./pt/compare.ts";
import { dates } from "./pt/dates.ts";
import { docs } from "./pt/docs.ts";
import { legend } from "./pt/legend.ts";
import { lists } from "./pt/lists.ts";
import { map } from "./pt/map.ts";
import { point } from "./pt/point.ts";
import { position } from "./pt/position.ts";
import { screen } from "./pt/screen.ts";
import { ship } from "./pt/ship.ts";
import { status } from "./pt/status.ts";
import { stormCard } from "./pt/storm-card.ts";
import { storms } from "./pt/storms.ts";
import { tasks } from "./pt/tasks.ts";
import { time } from "./pt/time.ts";
import { ui } from "./pt/ui.ts";
import { verdict } from "./pt/verdict.ts";

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
  stormCard,
  verdict,
  ship,
  tasks,
  lists,
  docs,
  status,
};
