// Writes docs/host-calls.md: every call of Premiere and UXP that the panel's code makes, with its source: `npm run host-calls`.
import { writeFile } from "node:fs/promises";
import { findHostCalls } from "./host-calls/find-host-calls.ts";
import { hostCallTable } from "./host-calls/host-call-table.ts";

await writeFile("docs/host-calls.md", hostCallTable(findHostCalls(".")));
