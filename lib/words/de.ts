import { access } from "./de/access.ts";
import { catalog } from "./de/catalog.ts";
import { compare } from "./de/compare.ts";
import { dates } from "./de/dates.ts";
import { docs } from "./de/docs.ts";
import { legend } from "./de/legend.ts";
import { lists } from "./de/lists.ts";
import { map } from "./de/map.ts";
import { point } from "./de/point.ts";
import { position } from "./de/position.ts";
import { screen } from "./de/screen.ts";
import { ship } from "./de/ship.ts";
import { status } from "./de/status.ts";
import { stormCard } from "./de/storm-card.ts";
import { storms } from "./de/storms.ts";
import { tasks } from "./de/tasks.ts";
import { time } from "./de/time.ts";
import { ui } from "./de/ui.ts";
import { verdict } from "./de/verdict.ts";
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
  stormCard,
  verdict,
  ship,
  tasks,
  lists,
  docs,
  status,
};
