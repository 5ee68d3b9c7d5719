import type { Configuration } from "webpack";

/** Largest panel script that the build accepts, in bytes. */
export const CEILING_BYTES: number;
declare const configuration: Configuration;
export default configuration;
