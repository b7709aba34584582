/** The import rules of ARCHITECTURE.md: app → components → lib ← server ← app; sibling modules never import each other. */

const features = [
  "docs",
  "download",
  "legend",
  "map",
  "passage",
  "point",
  "ship",
  "storms",
  "tasks",
  "tides",
  "time",
  "watches",
  "workability",
];
const serverModules = [
  "alerts",
  "archive",
  "demo",
  "ensembles",
  "http",
  "ingest",
  "keys",
  "mailbox",
  "metocean",
  "pages",
  "storms",
  "tasks",
  "tides",
  "watches",
];
const composition = "^server/(main\\.ts|cli\\.ts|context\\.ts|context/|process/)";
const tests = "\\.test\\.tsx?$";
/** Workspaces of npm, which the rest imports by their names: a link leads to the folder. */
const packages = "^lib/(geo|grib2|storms)/";
const ours = "^(app|bench|clients|components|e2e|lib|prisma|scripts|server|test)/";

/** @param allowed Regular expression of what may be imported from `within`. */
const sees = (name, comment, from, within, allowed) => ({
  name,
  comment,
  severity: "error",
  from: { path: from, pathNot: tests },
  to: { path: within, pathNot: allowed },
});

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, dependencyTypesNot: ["type-only"] },
    },
    sees(
      "lib-is-pure",
      "lib computes: it sees only lib (and pure packages).",
      "^lib/",
      "^(app|components|server|prisma|e2e)/",
      "^$",
    ),
    {
      name: "lib-runs-anywhere",
      severity: "error",
      from: { path: "^lib/", pathNot: tests },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "packages-stand-alone",
      comment: "Packages are published to others: of ours they import each other alone, by name.",
      severity: "error",
      from: { path: packages, pathNot: tests },
      to: { path: ours, pathNot: packages },
    },
    {
      name: "clients-stand-alone",
      comment: "What is published to others imports nothing of the service, and no package.",
      severity: "error",
      from: { path: "^clients/typescript/", pathNot: tests },
      to: { pathNot: "^clients/typescript/" },
    },
    {
      name: "pages-have-one-client",
      comment:
        "The pages reach the service by components/api-client, which is built on the published client.",
      severity: "error",
      from: { path: "^(app|components|lib|server|prisma)/", pathNot: "^components/api-client/" },
      to: { path: "^clients/" },
    },
    {
      name: "components-see-lib",
      comment: "components reach the service only over HTTP.",
      severity: "error",
      from: { path: "^components/", pathNot: tests },
      to: { path: "^(app|server|prisma)/" },
    },
    ...features.map((feature) =>
      sees(
        `feature-${feature}`,
        `components/${feature} never imports another feature, nor the screen that composes it.`,
        `^components/${feature}/`,
        "^components/",
        `^components/(${feature}|api-client|view-state|ui|words|fields)/`,
      ),
    ),
    sees(
      "ui-knows-no-domain",
      "Buttons, dialogs and menus import nothing of ours but the words on them.",
      "^components/ui/",
      "^(components|lib)/",
      "^components/(ui|words)/|^lib/messages/",
    ),
    sees(
      "fields-are-shared",
      "Fields for a place and a time are those of all features, and know none.",
      "^components/fields/",
      "^components/",
      "^components/(fields|view-state|ui|words)/",
    ),
    ...["api-client", "view-state", "words"].map((module) =>
      sees(
        `${module}-sees-lib`,
        `components/${module} sees lib and words alone.`,
        `^components/${module}/`,
        "^components/",
        `^components/(${module}|words)/`,
      ),
    ),
    sees(
      "app-routes",
      "app only routes: of the server it sees the operations.",
      "^app/",
      "^(server|prisma|e2e)/",
      "^server/operations/",
    ),
    {
      name: "server-draws-nothing",
      severity: "error",
      from: { path: "^server/" },
      to: { path: "^(app|components|e2e)/" },
    },
    ...serverModules.map((module) =>
      sees(
        `module-${module}`,
        `server/${module} sees its own files, archive, platform and lib.`,
        `^server/${module}/`,
        "^server/",
        `^server/(${module}|archive|platform)/`,
      ),
    ),
    sees(
      "module-platform",
      "The platform knows no module.",
      "^server/platform/",
      "^server/",
      "^server/platform/",
    ),
    sees(
      "operations-serve",
      "Operations use the modules; the process uses the operations.",
      "^server/operations/",
      "^server/(main\\.ts|cli\\.ts|process/|pages/)",
      "^$",
    ),
    {
      name: "context-connects-the-demo",
      comment: "The demo is a store and a feed that the context connects; nothing else knows it.",
      severity: "error",
      from: { path: "^server/", pathNot: `^server/(demo|context)/|^server/context\\.ts$|${tests}` },
      to: { path: "^server/demo/" },
    },
    {
      name: "composition-is-on-top",
      comment: "Only the process and the operations see the context.",
      severity: "error",
      from: { path: "^server/", pathNot: `${composition}|^server/operations/|${tests}` },
      to: { path: composition },
    },
    {
      name: "production-without-tests",
      comment: "Test helpers, benchmarks and scripts are no part of what is served.",
      severity: "error",
      from: { path: "^(app|components|lib|server|prisma)/", pathNot: tests },
      to: { path: `^(test|bench|e2e|scripts)/|${tests}` },
    },
    {
      name: "signalk-stands-alone",
      comment: "The plugin is installed on boats without the rest of the repository, and without packages.",
      severity: "error",
      from: { path: "^clients/signalk/", pathNot: tests },
      to: { pathNot: "^clients/signalk/", dependencyTypesNot: ["core"] },
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
    exclude: { path: "^(prisma/generated|clients/[^/]+/dist|\\.next|node_modules|next-env)" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mts", ".mjs", ".js", ".cjs", ".json", ".css"],
    },
  },
};
