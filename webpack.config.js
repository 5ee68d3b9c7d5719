import { fileURLToPath } from "node:url";
import { EsbuildPlugin } from "esbuild-loader";
import MinimizerPlugin from "minimizer-webpack-plugin";

const pathTo = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Largest script that the page loads, minified and before compression, in bytes. The build refuses a larger one. */
export const START_CEILING_BYTES = 150_000;

/** Largest sum of all scripts of the panel, in bytes: so that what is read at the first use does not grow unnoticed. */
export const TOTAL_CEILING_BYTES = 360_500;

/** The script that the page loads: what the first view needs. It reads the other, `work.js`, when something is done. */
const START_SCRIPT = "index.js";

/** Modules that the host provides at run time. */
const HOST_MODULES = ["premierepro", "uxp", "fs", "os"];

/**
 * The panel as a classic script and a CommonJS module beside it: UXP loads no modules of ECMAScript, compiles no strings,
 * and its engine is promised ECMAScript 2020 at most. Types are stripped file by file, the whole is then brought down to 2020 and made small.
 */
export default {
  mode: "production",
  context: pathTo("."),
  entry: "./panel/main.ts",
  target: ["web", "es2020"],
  devtool: false,
  // What the page does not load is read by UXP's own `require`, from beside the script.
  output: {
    path: pathTo("dist/panel/"),
    filename: START_SCRIPT,
    iife: true,
    chunkFilename: "[name].js",
    chunkFormat: "commonjs",
    chunkLoading: "require",
  },
  externals: Object.fromEntries(HOST_MODULES.map((name) => [name, `commonjs ${name}`])),
  module: {
    rules: [
      {
        test: /\.ts$/,
        sideEffects: false,
        use: [
          { loader: "esbuild-loader", options: { target: "es2022", tsconfig: pathTo("panel/tsconfig.json") } },
          pathTo("panel/build/plain-private-names.cjs"),
        ],
      },
      { test: /panel\/main\.ts$/, sideEffects: true },
    ],
  },
  optimization: {
    splitChunks: false,
    minimizer: [
      new EsbuildPlugin({ target: "es2020", minify: false, include: START_SCRIPT }),
      new EsbuildPlugin({ target: "es2020", minify: false, exclude: START_SCRIPT, format: "cjs" }),
      new MinimizerPlugin({
        extractComments: false,
        terserOptions: {
          ecma: 2020,
          compress: { passes: 3, pure_getters: true, unsafe_arrows: true },
          mangle: { properties: { regex: /^_private_/ } },
          format: { comments: false, ascii_only: false },
        },
      }),
    ],
  },
  performance: { hints: "error", maxAssetSize: TOTAL_CEILING_BYTES, maxEntrypointSize: START_CEILING_BYTES },
  stats: "errors-warnings",
};
