import type { LegKind } from "#lib/passage/route.ts";
import { plural } from "../plural.ts";

/** What a person should know of an import, besides the number of waypoints. */
interface Import {
  count: number;
  /** Points of the file, where some were left out. */
  from: number | undefined;
  /** Distance from the line within which those lie, n mi. */
  within: string | undefined;
  /** Rows of a table that could not be read. */
  refused: number | undefined;
}

const waypoints = (count: number) => plural("en", count, { one: "1 waypoint", other: `${count} waypoints` });

/** The route of a plan. */
export const passageRoute = {
  title: "Passage",
  /** Name of the part of the panel. */
  route: "Route",
  raise: "Raise the panel to plan a passage.",
  empty: "Draw a route on the map, type positions or places, or import a file.",
  /** @param length `342 n mi`. */
  summary: ({ count, length }: { count: number; length: string }) => `${waypoints(count)}, ${length}`,
  name: "Name of the plan",
  draw: "Draw on the map",
  undo: "Undo",
  redo: "Redo",
  reverse: "Reverse",
  reversed: "The route goes the other way now.",
  add: "Add a position or a place",
  addPlaceholder: "48 23N 004 30W or a port",
  addSubmit: "Add to the route",
  added: ({ number, place }: { number: number; place: string }) => `Waypoint ${number} added: ${place}.`,
  full: (most: number) => `A route has at most ${most} waypoints.`,
  notKept: "This browser does not keep the plan. Save it as a file before you leave the page.",
  damagedLink: "The plan of this link cannot be read: it was cut off or changed. Your own plan is as it was.",
  keptAs: (name: string) => `This is the plan of the link. Your plan before it is saved as “${name}”.`,
  allLegs: "All legs",
  legs: { great_circle: "Great circle", rhumb: "Rhumb line" } satisfies Record<LegKind, string>,
  table: {
    title: "Waypoints",
    waypoint: "Waypoint",
    course: "Course",
    distance: "Distance",
    /** Beside the distance of a leg. */
    rhumb: "rhumb line",
    help: "Arrow keys go from waypoint to waypoint, Enter opens one, Alt and an arrow key moves it in the order, Delete removes it.",
  },
  edit: {
    title: (number: number) => `Waypoint ${number}`,
    position: "Position",
    name: "Name",
    leg: "Leg to here",
    earlier: "Earlier",
    later: "Later",
    insert: "Insert before",
    show: "Show on the map",
    remove: "Delete",
    unclear: "This may mean several places. Write it like 48 30N 005 10W.",
  },
  drawing: {
    title: "Drawing a route",
    byMouse:
      "Click to add a waypoint, drag one to move it, click a leg to divide it. By keyboard Enter adds at the cross, Backspace takes back, Escape ends.",
    byTouch: "Tap to add a waypoint, drag one to move it, tap a leg to divide it.",
    done: "Done",
  },
  file: {
    title: "Import a route",
    choose: "File: GPX, RTZ, KML, GeoJSON, CSV or .xlsx",
    paste: "Or paste positions, or the text of a file",
    usePasted: "Use this text",
    reading: "Reading…",
    which: "This file has several lists. Which is the route?",
    unread: "These points cannot be read and would be left out:",
    take: ({ title, count }: { title: string; count: number }) => `${title}: ${waypoints(count)}`,
    read: ({ count, from, within, refused }: Import) =>
      [
        `Imported: ${waypoints(count)}.`,
        ...(from !== undefined && within !== undefined
          ? [`The file has ${from} points: those within ${within} n mi of the line were left out.`]
          : []),
        ...(refused === undefined
          ? []
          : [
              plural("en", refused, {
                one: "1 point could not be read and was left out.",
                other: `${refused} points could not be read and were left out.`,
              }),
            ]),
      ].join(" "),
    save: "Save the route, share the plan",
    copyLink: "Copy link to the plan",
    linkCut:
      "The link has no names of waypoints and no speed table or polar of your own: with them it would be too long.",
  },
  saved: {
    title: "Plans on this device",
    save: "Save plan",
    needsName: "Give the plan a name first.",
    start: "New plan",
    cleared: "A new plan. Undo brings the one before it back.",
    saved: (name: string) => `Saved: “${name}”.`,
    replaced: (name: string) => `“${name}” is replaced.`,
    notSaved: "This browser did not save the plan: its storage is full or switched off. Save it as a file.",
    open: (name: string) => `Open “${name}”`,
    opened: (name: string) => `“${name}” is open.`,
    remove: (name: string) => `Delete “${name}”`,
    removed: (name: string) => `“${name}” is deleted.`,
    undo: "Undo",
    back: "It is back.",
  },
};

export type PassageRouteWords = typeof passageRoute;
