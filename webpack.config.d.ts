import type { Configuration } from "webpack";

/** Largest script that the page loads, in bytes. */
export const START_CEILING_BYTES: number;
/** Largest sum of all scripts, in bytes. */
export const TOTAL_CEILING_BYTES: number;
declare const configuration: Configuration;
export default configuration;
