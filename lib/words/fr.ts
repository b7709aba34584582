import type { Words } from "./en.ts";
import { access } from "./fr/access.ts";
import { catalog } from "./fr/catalog.ts";
import { compare } from "./fr/compare.ts";
import { dates } from "./fr/dates.ts";
import { docs } from "./fr/docs.ts";
import { legend } from "./fr/legend.ts";
import { lists } from "./fr/lists.ts";
import { map } from "./fr/map.ts";
import { point } from "./fr/point.ts";
import { position } from "./fr/position.ts";
import { screen } from "./fr/screen.ts";
import { ship } from "./fr/ship.ts";
import { status } from "./fr/status.ts";
import { stormCard } from "./fr/storm-card.ts";
import { storms } from "./fr/storms.ts";
import { tasks } from "./fr/tasks.ts";
import { time } from "./fr/time.ts";
import { ui } from "./fr/ui.ts";
import { verdict } from "./fr/verdict.ts";

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
  stormCard,
  verdict,
  ship,
  tasks,
  lists,
  docs,
  status,
};
