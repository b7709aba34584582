/** Which schemas of the OpenAPI document a file of the client has types of. */
export interface Family {
  schemas: readonly string[];
  /** Names of what stands inside them, by where it stands: the same schema has this name wherever it is. */
  parts: Readonly<Record<string, string>>;
}

/** Files of `clients/typescript/src/contract`. Each may name the types of all others. */
export const families: Readonly<Record<string, Family>> = {
  points: {
    schemas: ["PointRequest", "PointResponse", "PointRunsRequest", "PointRunsResponse", "Failure"],
    parts: {
      "PointRequest.points[]": "Point",
      "PointRequest.variables[]": "Variable",
      "PointResponse.result": "PointResult",
      "PointResponse.result.results[]": "PointConditions",
      "PointResponse.result.results[].conditions": "Conditions",
      "PointResponse.result.meta": "PointMeta",
      "PointResponse.result.meta.provenance[]": "Provenance",
      "PointRunsResponse.result.results[]": "PointRun",
    },
  },
  boxes: {
    schemas: ["MapRequest", "MapResponse"],
    parts: {
      "MapRequest.bounding_boxes[]": "BoundingBox",
      "MapResponse.result": "MapResult",
      "MapResponse.result.results[]": "MapConditions",
      "MapResponse.result.meta": "MapMeta",
    },
  },
  edr: {
    schemas: [
      "EdrTrajectoryRequest",
      "EdrLanding",
      "EdrConformance",
      "EdrCollections",
      "EdrCollection",
      "EdrInstances",
      "EdrError",
    ],
    parts: { "EdrLanding.links[]": "EdrLink" },
  },
  passages: {
    schemas: ["PassageRequest", "OptimiseRequest"],
    parts: {
      "PassageRequest.route[]": "Waypoint",
      "PassageRequest.departures": "Departures",
      "PassageRequest.vessel": "Vessel",
      "PassageRequest.vessel.table": "MotorTable",
      "PassageRequest.limits": "PassageLimits",
    },
  },
  plans: {
    schemas: ["PassageResponse"],
    parts: {
      "PassageResponse.result": "PassageResult",
      "PassageResponse.result.results[]": "Plan",
      "PassageResponse.result.results[].pieces[]": "PlanPiece",
      "PassageResponse.result.meta": "PassageMeta",
      "PassageResponse.result.meta.better": "BetterRoute",
    },
  },
  tasks: {
    schemas: [
      "TaskCreated",
      "PendingTask",
      "FinishedPoints",
      "FinishedMap",
      "FinishedFile",
      "FinishedPassage",
      "FailedTask",
      "TaskList",
    ],
    parts: { "TaskList.results[]": "TaskEntry", "TaskList.results[].kind": "TaskKind" },
  },
  storms: {
    schemas: ["StormsResponse", "StormHistory"],
    parts: {
      "StormsResponse.results[]": "Storm",
      "StormsResponse.results[].cone": "StormCone",
      "StormsResponse.results[].tracks.observed[]": "TrackPoint",
      "StormsResponse.results[].tracks.forecast": "StormForecast",
      "StormsResponse.results[].tracks.forecast.points[]": "ForecastPoint",
      "StormsResponse.results[].development": "StormDevelopment",
      "StormsResponse.results[].formation_alert": "FormationAlert",
    },
  },
  "storm-reports": {
    schemas: ["StormOutlooks", "StormDanger", "StormApproachRequest", "StormApproach"],
    parts: {
      "StormOutlooks.results[]": "StormOutlook",
      "StormApproach.results[]": "StormEncounter",
    },
  },
  watches: {
    schemas: ["WatchRequest", "Watch", "WatchList"],
    parts: {
      "WatchRequest.question": "WatchQuestion",
      "WatchRequest.question|0.conditions[]": "WatchCondition",
      "Watch.question": "WatchedQuestion",
      "Watch.found": "WatchFinding",
    },
  },
  alerts: {
    schemas: ["Alert", "AlertList", "AlertsRead", "AlertSent"],
    parts: { "Alert.message": "AlertMessage" },
  },
  channels: {
    schemas: [
      "ChannelRequest",
      "ChannelList",
      "ChannelCreated",
      "ChannelSecret",
      "ChannelTest",
      "CalendarAddress",
    ],
    parts: { "ChannelList.channels[]": "Channel" },
  },
  feeds: {
    schemas: ["Feeds"],
    parts: { "Feeds.feeds[]": "Feed" },
  },
  files: {
    schemas: ["FileRequest", "FileEstimate"],
    parts: { "FileRequest.area": "FileArea" },
  },
  issues: {
    schemas: [],
    parts: { "ValidationError.detail[]": "ValidationIssue" },
  },
};

/** Schemas of the OpenAPI document without a type of their own, and why. */
export const untyped: Readonly<Record<string, string>> = {
  ManyPointsRequest: "PointRequest with another limit",
  DetailError: "an error class",
  ValidationError: "an error class",
  RateLimitError: "an error class",
};
