import { access } from "./en/access.ts";
import { catalog } from "./en/catalog.ts";
import { compare } from "./en/compare.ts";
import { dates } from "./en/dates.ts";
import { docs } from "./en/docs.ts";
import { legend } from "./en/legend.ts";
import { lists } from "./en/lists.ts";
import { map } from "./en/map.ts";
import { point } from "./en/point.ts";
import { position } from "./en/position.ts";
import { screen } from "./en/screen.ts";
import { ship } from "./en/ship.ts";
import { status } from "./en/status.ts";
import { stormCard } from "./en/storm-card.ts";
import { storms } from "./en/storms.ts";
import { tasks } from "./en/tasks.ts";
import { time } from "./en/time.ts";
import { ui } from "./en/ui.ts";
import { verdict } from "./en/verdict.ts";
import type { Language } from "./language.ts";

/** The words of the pages in English; those of the other languages have the same form. */
export const en = {
  language: "en" as Language,
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

/** All words of the pages in one language, by the part of the page that they stand in. */
export type Words = typeof en;
