import type { Configuration } from "webpack";

/** Largest script of the panel, minified and before compression, in bytes. */
export const SCRIPT_CEILING_BYTES: number;
declare const configuration: Configuration;
export default configuration;
