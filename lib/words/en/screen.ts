/** What is drawn, and of which time: empty for what has none. */
interface Drawn {
  title: string;
  time: string;
}

/** What all pages have around their content, and the controls of the map that belong to none of its parts. */
export const screen = {
  pages: {
    /** For search engines. */
    description: "Marine weather and ocean conditions on a map. Not for navigation.",
    titles: { tasks: "Tasks", inbox: "Alerts", status: "Status", docs: "API" },
    /** Name of the links. */
    label: "Pages",
    map: "Map",
    tasks: "Tasks",
    inbox: "Alerts",
    feeds: "Feeds",
    docs: "API",
    /** With their number, where there are any. */
    storms: (count: number) => (count > 0 ? `Storms (${count})` : "Storms"),
    missing: {
      title: "There is no such page",
      /** The sentence, with links in it. */
      text: <Link>({ map, docs }: { map: (name: string) => Link; docs: Link }): (string | Link)[] => [
        "The map is at ",
        map("the start"),
        ", the reference of the API at ",
        docs,
        ".",
      ],
    },
    stopped: {
      title: "This page has stopped",
      text: "A part of it is at fault, or could not be loaded. The view is still in the address, and tasks go on by themselves.",
      reload: "Load the page again",
    },
  },
  disclaimer: {
    title: "Not for navigation",
    sentence: "Not for navigation.",
    text: "Forecasts and analyses come from computer models and may be wrong, late or missing. Use them for planning only. They do not replace official forecasts, warnings (NAVTEX, SafetyNET), nautical charts, or the judgement of the master. In a tropical cyclone follow the responsible RSMC or warning centre. Sea values near coasts, in straits and in tidal waters are approximate.",
    invented: "The data now shown is invented.",
    /** On paper. */
    printed:
      "Forecasts and analyses come from computer models and may be wrong, late or missing. Use them for planning only. In a tropical cyclone follow the responsible RSMC or warning centre.",
  },
  notices: {
    offline: "Offline. What is shown was read before.",
    offlineSaved: (time: string) => `Offline. Showing data saved ${time}.`,
    unreachable: (time: string) => `The server cannot be reached. Showing data saved ${time}.`,
    late: (seconds: number) => `The server has not answered for ${seconds} s. What is shown was read before.`,
    cancel: "Cancel",
    synthetic: "Synthetic demo data. Not a forecast. Not for navigation.",
    /** On paper, where the rest stands beside it. */
    syntheticPrinted: "Synthetic demo data. Not a forecast.",
    /** Before the command that fetches them. */
    realForecasts: "Real forecasts:",
    old: ({ hours, model, base }: { hours: number; model: string; base: string }) =>
      `Forecast is ${hours} h old (${model}, ${base}).`,
  },
  hint: {
    text: "Click the sea for conditions. Press ? on the map for its keys.",
    close: "Put the hint away",
  },
  panel: {
    point: "Point",
    watch: "Watch this place",
    watchStorms: "Watch storms near here",
    watchStormsAtShip: "Watch storms near my ship",
    passage: "Passage",
    download: "Download",
    print: "Print",
  },
  print: {
    map: "The map",
    mapOf: ({ title, time }: Drawn) => (time ? `Map: ${title}, ${time}` : `Map: ${title}`),
    at: (time: string) => `Printed ${time}`,
  },
  /** The weather while a film of a storm is open. */
  film: {
    playing: (title: string) => `${title}: drawn while the film is paused, for its time.`,
    none: (title: string) => `${title}: the archive has none for this time of the film.`,
    old: ({ title, time }: Drawn) => `${title}: still that of ${time}.`,
    fixed: (title: string) => `${title}: does not change with time.`,
    same: (title: string) => `${title}: of the same time as the film.`,
  },
  layers: {
    label: "Layer",
    of: (name: string) => `Layer: ${name}`,
    more: "More",
    moreLayers: "More layers",
    moreShown: (name: string) => `More layers, ${name} is shown`,
    colours: "Colours",
    onTop: "On top",
  },
  overlays: {
    barbs: "Wind barbs",
    arrows: "Direction arrows",
    isolines: "Lines",
    particles: "Moving particles",
    names: "Place names",
    storms: "Storms",
    boxes: "Boxes round a storm's winds",
    graticule: "Latitude and longitude",
  },
  language: "Language",
  menu: "Menu",
  display: "Display",
  settings: {
    theme: "Theme",
    themes: { light: "Day", dusk: "Dusk", night: "Night" },
    times: "Times in",
    zones: { utc: "UTC", local: "This device", ship: "Ship's zone" },
    map: "Map",
    projections: { mercator: "Flat (Mercator)", globe: "Globe" },
    data: "Data",
    dataUses: { full: "Full detail", light: "Light" },
    /** What each costs, as measured by `npm run bench -- "first view"` on wind of 0.25°. */
    dataCosts: {
      full: "Each time of the map costs 0.2 to 0.7 MB, and the times next to it are read ahead.",
      light:
        "Each time of the map costs 0.1 MB: the field at about 1°, nothing read ahead, no moving particles.",
    },
    singleKeys: "Single keys act on the map",
  },
  link: {
    copy: "Copy link",
    shows: "Copy a link that shows",
    fromAddress: "Copy it from the address bar",
    withShip: "With my ship",
    now: "Always now",
    ahead: (hours: number) => `Always ${hours} h from now`,
    ago: (hours: number) => `Always ${hours} h ago`,
  },
  keys: {
    title: "Keys of the map",
    text: "They act while the map has the keyboard: press Tab until a cross stands in its middle.",
    key: "Key",
    effect: "What it does",
    /** For screen readers. */
    summary:
      "Arrow keys move the map, plus and minus zoom, Enter reads the conditions at the centre, square brackets step in time, the question mark lists all keys.",
    /** Names of keys. */
    arrows: "Arrows",
    space: "Space",
    does: {
      move: "Move the map",
      zoom: "Zoom in, out",
      sample: "Read the conditions at the centre",
      step: "One step back, on",
      day: "One day back, on",
      play: "Play, pause",
      pickTime: "Choose a date and a time",
      now: "Now",
      layer: "First, second, third layer",
      isobars: "Isobars on, off",
      heights: "Lines of wave height on, off",
      compare: "Two pictures side by side, one",
      find: "Go to a position",
      storms: "Storms",
      nextStorm: "Next storm",
      ship: "My ship",
      passage: "Plan a passage",
      download: "Download what the map shows",
      tasks: "Tasks",
      unit: "Next unit",
      help: "This list",
    },
  },
  /** The map in words. */
  view: {
    list: "List values in view",
    stillDrawn: ({ title, time }: Drawn) =>
      time ? `${title} of ${time} is still drawn.` : `${title} is still drawn.`,
    loading: ({ title, time }: Drawn) => `Loading ${title.toLowerCase()} for ${time}.`,
    titleOf: ({ title, time }: Drawn) => (time ? `${title} in view, ${time}` : `${title} in view`),
    lattice: (title: string) => `${title} on a lattice over the map, north above`,
    centre: (position: string) => `Centre ${position}.`,
    notThere: (title: string) => `${title} not available there.`,
    /** Where it has a direction: where wind and waves come from, where a current sets. @param point Of the compass, in words. */
    value: ({ title, value, direction }: ValueThere) =>
      direction ? `${title} ${value} ${direction.sense} ${direction.point}.` : `${title} ${value}.`,
    noValues: "No values in view.",
    range: ({ low, high, position, isDepth }: RangeInView) =>
      `In view ${low} to ${high}, ${isDepth ? "deepest" : "highest"} near ${position}.`,
    download: "Download what the map shows",
  },
};

interface ValueThere {
  title: string;
  /** With its unit, as read aloud. */
  value: string;
  direction: { sense: "from" | "setting"; point: string } | undefined;
}

interface RangeInView {
  low: string;
  /** With the unit, as read aloud. */
  high: string;
  /** Of the highest value. */
  position: string;
  isDepth: boolean;
}

export type ScreenWords = typeof screen;
