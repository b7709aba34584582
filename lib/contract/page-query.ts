/** Id of a task: the tasks page opens it, and the map shows its points. */
export const taskParameter = "task";

/** Query parameters of the view, in components/view-state/view-url.ts. The API key is never one of them. */
export const viewParameters = [
  "c",
  "z",
  "l",
  "model",
  "o",
  "x",
  "cmp",
  "t",
  "p",
  "runs",
  "models",
  "u",
  "tz",
  "th",
  "proj",
  "storm",
  "tide",
  "datum",
  "port",
  "film",
  "sp",
  "inv",
  "danger",
  "ship",
  "plan",
  "tab",
  taskParameter,
] as const;
