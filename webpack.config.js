// @ts-check
// What webpack makes: the panel, the service's page, and the preview's page. `npm run build` runs all three; tools/build
// runs one of them, with the choices below. Plain JavaScript, because webpack reads it on any Node.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import CopyPlugin from "copy-webpack-plugin";
import TerserPlugin from "terser-webpack-plugin";
import webpack from "webpack";

/**
 * What a build may be asked for.
 * @typedef {object} BuildChoice
 * @property {"direct" | "marketplace" | undefined} [edition] Which package of the panel. Default: the one that is handed out directly.
 * @property {string | undefined} [id] The panel's identity in place of the manifest's: the Marketplace issues its own.
 * @property {string | undefined} [version] The panel's version, three numbers. Default: the project's.
 * @property {boolean | undefined} [minify] Default: yes. Tests and the preview save the ten seconds that it takes.
 * @property {boolean | undefined} [keepsCache] Whether what this build compiles is kept for the next one. Default: no, because two
 *   builds at once would write over each other's; tools/build/run-webpack.ts sees to that.
 */

/** @param {string} path */
const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** @type {{ version: string }} */
const { version: PROJECT_VERSION } = JSON.parse(readFileSync(at("package.json"), "utf8"));

/**
 * Largest script of the panel, minified and before compression, in bytes. A larger one is an error: somebody looks at what made it
 * grow. Premiere waits for the first script alone, of a few kilobytes.
 */
export const SCRIPT_CEILING_BYTES = 770_000;

/** Modules that Premiere and UXP provide: `require` is called when the code that needs one runs, never before. */
const HOST_MODULES = ["premierepro", "uxp", "fs", "os"];

/** The panel's scripts that `panel/start/start.ts` runs when it sees fit: each is a function until then. */
const HELD_BACK = ["index", "diagnostics"];

/**
 * What all three have in common.
 * @param {string} name
 * @param {string} target Oldest ECMAScript that must run it.
 * @param {string} tsconfig
 * @param {BuildChoice} choice
 * @returns {webpack.Configuration}
 */
function shared(name, target, tsconfig, { minify = true, keepsCache = false }) {
  const options = { target, tsconfig: at(tsconfig) };
  return {
    name,
    mode: "production",
    context: at("."),
    target: ["web", target],
    devtool: minify ? false : "source-map",
    output: { path: at(`dist/${name}`), filename: "[name].js", clean: true },
    module: {
      rules: [
        { test: /\.ts$/, loader: "esbuild-loader", options },
        // Packages are written in newer ECMAScript too.
        { test: /node_modules.*\.m?js$/, loader: "esbuild-loader", options: { target } },
      ],
    },
    optimization: {
      minimize: minify,
      // Terser, not esbuild: esbuild's output calls `TextEncoder`, which UXP lacks.
      minimizer: [
        new TerserPlugin({
          extractComments: false,
          terserOptions: { ecma: 2020, compress: { passes: 2 }, format: { comments: false } },
        }),
      ],
    },
    performance: false,
    cache: {
      type: "filesystem",
      readonly: !keepsCache,
      cacheDirectory: at("node_modules/.cache/webpack"),
      name: `${name}${minify ? "" : "-plain"}`,
      buildDependencies: { config: [at("webpack.config.js"), at("package-lock.json")] },
    },
    // A cache that cannot be written costs time, nothing else.
    infrastructureLogging: { level: "error" },
  };
}

/**
 * The panel: classic scripts, because UXP loads no modules of ECMAScript, and its engine is promised ECMAScript 2020 at most.
 * @param {BuildChoice} choice
 * @returns {webpack.Configuration}
 */
function panel(choice) {
  const { edition = "direct", id, version = PROJECT_VERSION, minify = true } = choice;
  const isDirect = edition === "direct";
  const base = shared("panel", "es2020", "panel/tsconfig.json", choice);
  const heldBack = { test: new RegExp(`^(?:${HELD_BACK.join("|")})\\.js$`), raw: true };
  return {
    ...base,
    entry: {
      start: "./panel/start/start.ts",
      index: "./panel/main.ts",
      ...(isDirect ? { diagnostics: "./panel/main-diagnostics.ts" } : {}),
    },
    externals: Object.fromEntries(HOST_MODULES.map((module) => [module, `commonjs ${module}`])),
    plugins: [
      new webpack.DefinePlugin({ PANEL_VERSION: JSON.stringify(version), PANEL_IS_DIRECT: JSON.stringify(isDirect) }),
      new webpack.BannerPlugin({ ...heldBack, banner: 'asideStart.hold("[name]", function () {' }),
      new webpack.BannerPlugin({ ...heldBack, banner: "});", footer: true }),
      new CopyPlugin({
        patterns: [
          { from: "manifest.json", transform: (text) => manifestOf(text.toString(), { isDirect, id, version }) },
          { from: "panel/index.html", transform: (text) => (isDirect ? text : withoutDiagnostics(text.toString())) },
          ...["controls.css", "views.css"].map((name) => ({ from: `panel/${name}` })),
          ...["icons", "presets"].map((name) => ({ from: `panel/${name}`, to: name })),
        ],
      }),
    ],
    performance: minify && {
      hints: "error",
      maxAssetSize: SCRIPT_CEILING_BYTES,
      maxEntrypointSize: SCRIPT_CEILING_BYTES,
    },
  };
}

/**
 * The manifest with the version of this build. The Marketplace's package may launch nothing.
 * @param {string} text
 * @param {{ isDirect: boolean, id: string | undefined, version: string }} choice
 */
function manifestOf(text, { isDirect, id, version }) {
  const { requiredPermissions, ...manifest } = JSON.parse(text);
  const { launchProcess, ...others } = requiredPermissions;
  const permissions = isDirect ? requiredPermissions : others;
  const made = { ...manifest, ...(id === undefined ? {} : { id }), version, requiredPermissions: permissions };
  return `${JSON.stringify(made, undefined, 2)}\n`;
}

/** @param {string} html */
function withoutDiagnostics(html) {
  return html.replace(/\n *<script src="diagnostics\.js"><\/script>/, "");
}

/**
 * The service's page, in hashed names: a browser may keep them for good.
 * @param {BuildChoice} choice
 * @returns {webpack.Configuration}
 */
function page(choice) {
  const base = shared("page", "es2022", "page/tsconfig.json", choice);
  return {
    ...base,
    devtool: "source-map",
    entry: { page: "./page/index.html" },
    // Places are those of the service's addresses: the page is `/home`.
    output: {
      ...base.output,
      htmlFilename: "[name].html",
      filename: "home/files/[name].[contenthash].js",
      cssFilename: "home/files/[name].[contenthash].css",
    },
    experiments: { html: true, css: true },
  };
}

/**
 * The page that stands for Premiere in the preview, and what the panel's document is given there.
 * @param {BuildChoice} choice
 * @returns {webpack.Configuration}
 */
function preview(choice) {
  return {
    ...shared("preview", "es2022", "panel/preview/page/tsconfig.json", { ...choice, minify: false }),
    entry: { premiere: "./panel/preview/page/premiere-page.ts", uxp: "./panel/preview/page/uxp-modules.ts" },
    plugins: [
      new webpack.DefinePlugin({ PANEL_VERSION: JSON.stringify(PROJECT_VERSION) }),
      new CopyPlugin({
        patterns: ["html", "css"].map((ending) => ({ from: `panel/preview/page/premiere.${ending}` })),
      }),
    ],
  };
}

/**
 * All three, each with its name.
 * @param {BuildChoice} [choice]
 */
export default (choice = {}) => [panel(choice), page(choice), preview(choice)];
