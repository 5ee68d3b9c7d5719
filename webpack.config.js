import { fileURLToPath } from "node:url";
import { EsbuildPlugin } from "esbuild-loader";

const pathTo = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Largest script of the panel, minified and before compression, in bytes. The build refuses a larger one. */
export const SCRIPT_CEILING_BYTES = 450_000;

/** Modules that the host provides at run time. */
const HOST_MODULES = ["premierepro", "uxp", "fs", "os"];

/**
 * The panel as one classic script: UXP loads no modules of ECMAScript, compiles no strings, and its engine is promised
 * ECMAScript 2020 at most. Types are stripped file by file, the whole is then brought down to 2020 and made small.
 */
export default {
  mode: "production",
  context: pathTo("."),
  entry: "./panel/main.ts",
  target: ["web", "es2020"],
  devtool: false,
  output: { path: pathTo("dist/panel/"), filename: "index.js", iife: true },
  externals: Object.fromEntries(HOST_MODULES.map((name) => [name, `commonjs ${name}`])),
  module: {
    rules: [
      {
        test: /\.ts$/,
        sideEffects: false,
        loader: "esbuild-loader",
        options: { target: "es2022", tsconfig: pathTo("panel/tsconfig.json") },
      },
      { test: /panel\/main\.ts$/, sideEffects: true },
    ],
  },
  optimization: { minimizer: [new EsbuildPlugin({ target: "es2020", legalComments: "none" })] },
  performance: { hints: "error", maxAssetSize: SCRIPT_CEILING_BYTES, maxEntrypointSize: SCRIPT_CEILING_BYTES },
  stats: "errors-warnings",
};
