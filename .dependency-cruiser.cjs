// Who may import whom. Each folder names what it may reach beside itself; everything else is an error.
// "node" stands for Node's own modules, "npm" for packages.
const MAY_IMPORT = {
  "src/core": [],
  "src/formats": ["src/core", "npm"],
  "src/contract": ["src/core", "npm"],
  "src/client": ["src/contract", "src/core"],
  "src/host": ["src/core", "src/formats"],
  "src/host/headless": ["src/host", "src/formats", "src/core", "node"],
  "src/host/premiere": ["src/host", "src/core", "src/formats", "npm"],
  "src/host/uxp": ["src/host", "src/core", "src/formats", "npm"],
  "src/result": ["src/core", "src/formats", "src/host"],
  "src/workflow": ["src/result", "src/client", "src/host", "src/formats", "src/contract", "src/core"],
  "src/engine": ["src/formats", "src/contract", "src/core", "node", "npm"],
  "src/service": ["src/engine", "src/formats", "src/contract", "src/core", "node", "npm"],
  "src/cli": [
    "src/workflow",
    "src/result",
    "src/client",
    "src/host",
    "src/host/headless",
    "src/service",
    "src/engine",
    "src/formats",
    "src/contract",
    "src/core",
    "node",
  ],
  page: [
    "panel",
    "src/workflow",
    "src/result",
    "src/client",
    "src/formats",
    "src/contract",
    "src/core",
    "src/host",
    "src/host/uxp",
  ],
  panel: ["src/workflow", "src/result", "src/formats", "src/contract", "src/core", "src/host", "npm"],
};
const ADAPTERS = ["src/host/headless", "src/host/premiere", "src/host/uxp"];
const NODE_MODULES = ["core"];
const PACKAGES = ["npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg", "npm-unknown"];

// The ports stand in src/host itself, the adapters in its sub-folders.
const pathOf = (folder) => (folder === "src/host" ? "^src/host/[^/]+$" : `^${folder}/`);

const directions = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  name: `${folder.replaceAll("/", "-")}-imports`,
  comment: `${folder} may import ${["itself", ...allowed].join(", ")}`,
  severity: "error",
  from: {
    path: pathOf(folder),
    // These are where adapters and the client are put together.
    pathNot: folder === "panel" ? ["^panel/(plugin|diagnostics/probing|start/start)\\.ts$", "^panel/preview/"] : [],
  },
  to: {
    path: "^(src|panel|page|test|tools)/",
    pathNot: [folder, ...allowed.filter((name) => name !== "node" && name !== "npm")].map(pathOf),
  },
}));

const runtimes = Object.entries(MAY_IMPORT).flatMap(([folder, allowed]) => {
  const forbidden = [...(allowed.includes("node") ? [] : NODE_MODULES), ...(allowed.includes("npm") ? [] : PACKAGES)];
  if (forbidden.length === 0) return [];
  return [
    {
      name: `${folder.replaceAll("/", "-")}-runtime`,
      comment: `${folder} may not use ${forbidden.join(", ")}`,
      severity: "error",
      // UXP names two of its modules as Node does; the one file that reaches for them is exempt, as is the preview.
      from: { path: pathOf(folder), pathNot: ["^panel/preview/", "^src/host/uxp/modules\\.ts$"] },
      to: { dependencyTypes: forbidden },
    },
  ];
});

const onlyFrom = (name, module, path) => ({
  name,
  comment: `only ${path} may import ${module}`,
  severity: "error",
  from: { path: "^(src|panel|page)/", pathNot: [path] },
  to: { path: `(^|/)node_modules/${module}(/|$)|^${module}$` },
});

module.exports = {
  forbidden: [
    ...directions,
    ...runtimes,
    {
      name: "no-circles-of-types",
      comment: "no file is among those that its own imports lead to, by types either",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-circles-of-folders",
      comment: "a folder never leads back to itself by way of another",
      severity: "error",
      scope: "folder",
      // Benches use what tests are made with, and tests hold parts of benches.
      from: { path: "^(src|panel|page|tools)", pathNot: "^tools/bench/" },
      to: { path: "^(src|panel|page|tools)", circular: true },
    },
    {
      name: "gate-knows-no-reader",
      comment: "the gate is given rows: it imports no reader of a format",
      severity: "error",
      from: { path: "^src/formats/gate/" },
      to: { path: "^src/formats/[^/]+/", pathNot: "^src/formats/gate/" },
    },
    {
      name: "labels-are-read-in-one-place",
      comment: "readers give labels as they stand: the gate alone makes frames of them",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/formats/gate/timed-rows\\.ts$" },
      to: { path: "^src/formats/gate/label-clock\\.ts$" },
    },
    {
      name: "no-tests-in-sources",
      severity: "error",
      from: { path: "^(src|panel|page)/", pathNot: ["^panel/preview/"] },
      to: { path: "^(test|tools)/" },
    },
    {
      name: "stages-stand-alone",
      comment: "the stages of the work never import each other: their order can be read in engine/pipeline/pipeline.ts",
      severity: "error",
      from: { path: "^src/engine/(analyse|ocr|describe|voice|mix)/" },
      to: { path: "^src/engine/(analyse|ocr|describe|voice|mix|pipeline)/", pathNot: "^src/engine/$1/" },
    },
    {
      name: "engine-by-its-door",
      comment:
        "work is asked of engine/index.ts alone; beside it, who describes, hears and speaks may be looked up where it is configured",
      severity: "error",
      from: { path: "^src/(service|cli)/" },
      to: { path: "^src/engine/(analyse|ffmpeg|measure|pipeline|tasks|worksheet)/" },
    },
    {
      name: "shell-knows-no-command",
      comment: "the shell treats every command alike: it imports nothing else of the command line",
      severity: "error",
      from: { path: "^src/cli/shell/" },
      to: { path: "^src/cli/", pathNot: "^src/cli/shell/" },
    },
    {
      name: "shared-parts-know-no-command",
      comment: "what commands share (what they read, where results go, the service they work with) imports no command",
      severity: "error",
      from: { path: "^src/cli/(source|out-folder|service-run)/" },
      to: { path: "^src/cli/([^/]+|commands/.+)$" },
    },
    {
      name: "commands-stand-alone",
      comment: "a command imports its own folder, the shared parts and how a programme is described; no other command",
      severity: "error",
      from: { path: "^src/cli/commands/([^/]+)" },
      to: { path: "^src/cli/([^/]+|commands/.+)$", pathNot: "^src/cli/commands/(describe|$1)/" },
    },
    {
      name: "panel-in-its-folder",
      comment: "the panel's files (plugin.ts, state, strings, views/, preview/) stand in panel/, not in src/",
      severity: "error",
      from: { path: "^src/panel/" },
      to: {},
    },
    onlyFrom("ffmpeg-in-one-place", "node-av", "^src/engine/ffmpeg/"),
    onlyFrom("premiere-in-one-place", "premierepro", "^src/host/premiere/"),
    onlyFrom("database-in-one-place", "(@electric-sql/pglite|pg|pg-boss)", "^src/service/(storage|jobs)/"),
    {
      name: "adapters-apart",
      severity: "error",
      from: { path: `^(${ADAPTERS.join("|")})/` },
      to: { path: `^(${ADAPTERS.join("|")})/`, pathNot: "^$1/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".js", ".mjs", ".json"],
    },
  },
};
