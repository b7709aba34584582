/** The import rules of ARCHITECTURE.md: app → components → lib ← server ← app; server rooms do not cross. */
const rooms = ["archive", "metocean", "tasks", "storms", "ingest", "http"];

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "lib-is-pure",
      comment: "lib computes: it sees only lib (and pure packages).",
      severity: "error",
      from: { path: "^lib/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(app|components|server|prisma|e2e)/" },
    },
    {
      name: "lib-runs-anywhere",
      severity: "error",
      from: { path: "^lib/", pathNot: "\\.(test|bench)\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "components-see-lib",
      comment: "components reach the service only over HTTP.",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^(app|server|prisma)/" },
    },
    {
      name: "server-draws-nothing",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/scripts/bench\\.ts$" },
      to: { path: "^(app|components|e2e)/" },
    },
    ...rooms.map((room) => ({
      name: `room-${room}`,
      comment: `server/${room} sees its own files, archive, platform and lib.`,
      severity: "error",
      from: { path: `^server/${room}/`, pathNot: "\\.(test|bench)\\.ts$" },
      to: { path: "^server/", pathNot: `^server/(${room}|archive|platform)/` },
    })),
    {
      name: "room-platform",
      severity: "error",
      from: { path: "^server/platform/", pathNot: "\\.test\\.ts$" },
      to: { path: "^server/", pathNot: "^server/platform/" },
    },
    {
      name: "room-archive-below",
      severity: "error",
      from: { path: "^server/archive/", pathNot: "\\.(test|bench)\\.ts$" },
      to: { path: "^server/", pathNot: "^server/(archive|platform)/" },
    },
    {
      name: "no-undeclared",
      severity: "error",
      from: { pathNot: "\\.config\\.(ts|mjs|cjs)$" },
      to: {
        couldNotResolve: true,
        pathNot: ["^#prisma/generated", "^next/", "^(geojson|topojson-specification)$"],
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(prisma/generated|\\.next|node_modules|next-env)" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mts", ".mjs", ".js", ".cjs", ".json", ".css"],
    },
  },
};
