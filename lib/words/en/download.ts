import { formatNumber } from "../number.ts";

/** The panel that makes a file of what the map shows. */
export const download = {
  title: "Download",
  intro: "A file of what the map shows: for plotters, programs and tables.",
  area: {
    title: "Area",
    kinds: { view: "This view", box: "A box", storm: "Around a storm", route: "Along my passage" },
    follows: "It follows the map until it is changed.",
    sides: { north: "North, °N", south: "South, °N", west: "West, °E", east: "East, °E" },
    draw: "Draw on the map",
    show: "Show on the map",
    storm: "Storm",
    radius: "Around its track, n mi",
    width: "On either side, n mi",
    noStorms: "There is no storm now.",
    noRoute: "There is no passage yet: plan one in the tab Passage.",
  },
  drawing: {
    title: "Draw a box",
    byMouse: "Drag a box over the map, or click two opposite corners.",
    byTouch: "Drag a box with one finger, or tap two opposite corners.",
    second: "Now the opposite corner.",
    cancel: "Cancel",
  },
  variables: {
    title: "Variables",
    asShown: "As the map shows",
    notInGrib: "GRIB2 has no form for it: choose NetCDF or CSV.",
  },
  times: {
    title: "Times",
    from: (clock: string) => `From, ${clock}`,
    to: (clock: string) => `To, ${clock}`,
    step: "Step",
    native: "Every time of the model",
    hours: (hours: number) => `${hours} h`,
  },
  resolution: {
    title: "Resolution",
    full: "Full grid",
    every: (stride: number) => `One point in ${stride}`,
  },
  format: {
    title: "Format",
    names: { grib2: "GRIB2", netcdf: "NetCDF", csv: "CSV" },
    uses: {
      grib2: "For OpenCPN, XyGrib, qtVlm, LuckGrib and other plotters.",
      netcdf: "For xarray, Panoply and other programs.",
      csv: "A table: a line for each place and time.",
    },
    smaller: "Smaller file, not for all plotters",
    smallerWhy: "Complex packing: eccodes, cdo, xarray and OpenCPN read it, XyGrib does not.",
  },
  problems: {
    latitudes: "Latitudes should be −90 to 90, the south below the north.",
    longitudes: "Longitudes should be −180 to 180.",
    times: "The end should not be before the start.",
    long: ({ days }: { days: number }) => `Times should span at most ${days} days.`,
    variables: "Choose at least one variable.",
    view: "The map is still being opened.",
    storm: "Choose a storm.",
    route: "There is no passage yet.",
    grib: "Not in GRIB2: leave what is marked, or choose another format.",
  },
  estimate: {
    waiting: "Working out the size …",
    /** @param grid Columns × rows. */
    about: ({ size, steps, grid }: { size: string; steps: number; grid: string }) =>
      `About ${size}: ${formatNumber(steps, 0, "en")} ${steps === 1 ? "time" : "times"}, ${grid} points.`,
    task: "Too large to be answered at once: a task makes it, and keeps it for you.",
    tooLarge:
      "Too large for one file: take a smaller area, fewer times or variables, or a coarser resolution.",
  },
  actions: {
    download: "Download",
    task: "Make a task",
    cancel: "Cancel",
    preparing: "The server makes the file …",
    receiving: (size: string) => `${size} received …`,
    done: ({ name, size }: { name: string; size: string }) => `Saved: ${name}, ${size}.`,
    cancelled: "Cancelled.",
    sent: "The task is accepted. Its file will be among the tasks.",
    toTasks: "To the tasks",
    needsKey: "Files need an API key of your own.",
    offline: "Offline: a file can be made when there is a connection.",
  },
  faults: {
    tooLarge: "The server does not answer this at once: it is too large. Make a task of it, or ask for less.",
    busy: "The server is busy. Try again in a moment.",
    full: "Your storage for results is full: delete tasks that you no longer need.",
    gone: "There is no such storm any longer.",
  },
};

export type DownloadWords = typeof download;
