import { readFileSync } from "node:fs";

/** Version of this project, from its package file: the only place where it stands. */
export const VERSION: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
