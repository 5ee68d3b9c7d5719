import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { EsbuildPlugin } from "esbuild-loader";
import webpack, { type Configuration } from "webpack";
import { SHORT_NAMES } from "./short-names.ts";

/** The project's folder. */
export const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

const VERSION: string = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")).version;

/** Largest script of the panel, minified and before compression, in bytes. The build refuses a larger one. */
export const SCRIPT_CEILING_BYTES = 512_000;

/** Who hands the plugin out: we ourselves, or Adobe's Marketplace, whose rules are stricter. */
export type Edition = "direct" | "marketplace";

/** The scripts of each package, by their names there, in the order in which its page loads them. None needs a later one. */
export const SCRIPTS: Readonly<Record<Edition, Readonly<Record<string, string>>>> = {
  direct: { "index.js": "./panel/main.ts", "diagnostics.js": "./panel/main-diagnostics.ts" },
  marketplace: { "index.js": "./panel/main-marketplace.ts" },
};

/** Modules that the host provides at run time. */
const HOST_MODULES = ["premierepro", "uxp", "fs", "os"];

/**
 * A script of the panel as a classic one in a folder, whole in itself: UXP loads no modules of ECMAScript, compiles no strings, and its engine is
 * promised ECMAScript 2020 at most. Types are stripped file by file, the whole is then brought down to 2020 and made small.
 */
export const panelConfiguration = (folder: string, filename: string, entry: string): Configuration => ({
  mode: "production",
  context: PROJECT,
  entry,
  target: ["web", "es2020"],
  devtool: false,
  output: { path: resolve(folder), filename, iife: false },
  externals: Object.fromEntries(HOST_MODULES.map((name) => [name, `commonjs ${name}`])),
  module: {
    rules: [
      {
        test: /\.ts$/,
        sideEffects: false,
        use: [
          {
            loader: "esbuild-loader",
            options: { target: "es2022", tsconfig: join(PROJECT, "panel/tsconfig.json") },
          },
          // The last one is the first to run.
          join(PROJECT, "panel/build/short-names.ts"),
        ],
      },
      { test: /panel\/main(-[a-z]+)?\.ts$/, sideEffects: true },
    ],
  },
  optimization: {
    minimizer: [
      new EsbuildPlugin({
        target: "es2020",
        format: "iife",
        treeShaking: true,
        legalComments: "none",
        mangleProps: SHORT_NAMES,
      }),
    ],
  },
  // The one place of the version is package.json; the host tells a plugin nothing of its own.
  plugins: [new webpack.DefinePlugin({ PANEL_VERSION: JSON.stringify(VERSION) })],
  performance: { hints: "error", maxAssetSize: SCRIPT_CEILING_BYTES, maxEntrypointSize: SCRIPT_CEILING_BYTES },
  stats: "errors-warnings",
});
