import type { Words } from "./en.ts";
import { access } from "./ja/access.ts";
import { catalog } from "./ja/catalog.ts";
import { compare } from "./ja/compare.ts";
import { dates } from "./ja/dates.ts";
import { docs } from "./ja/docs.ts";
import { legend } from "./ja/legend.ts";
import { lists } from "./ja/lists.ts";
import { map } from "./ja/map.ts";
import { point } from "./ja/point.ts";
import { position } from "./ja/position.ts";
import { screen } from "./ja/screen.ts";
import { ship } from "./ja/ship.ts";
import { status } from "./ja/status.ts";
import { stormCard } from "./ja/storm-card.ts";
import { storms } from "./ja/storms.ts";
import { tasks } from "./ja/tasks.ts";
import { time } from "./ja/time.ts";
import { ui } from "./ja/ui.ts";
import { verdict } from "./ja/verdict.ts";

export const ja: Words = {
  language: "ja",
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
