// Writes docs/host-calls.md: every call of Premiere and UXP that the panel's code makes, with its source: `npm run tool -- host-calls`.
import { readFile, writeFile } from "node:fs/promises";
import { findHostCalls } from "./find-host-calls.ts";
import { hostCallTable } from "./host-call-table.ts";
import { survivalsOf } from "./matrix-page.ts";

const matrix = await readFile("docs/notes/premiere-matrix.md", "utf8");
await writeFile("docs/host-calls.md", hostCallTable(findHostCalls("."), survivalsOf(matrix)));
