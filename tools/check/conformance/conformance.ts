// Tests any server of the interface by HTTP alone:
//   ASIDE_API_KEY=... npm run tool -- conformance --server https://host [--video FILE] [--video-url URL] [--patience SECONDS]
// Without --video it uses the sample clip. Costs about ten short jobs. Ends with 1 when a check fails.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { SAMPLE_CLIP } from "../../../src/cli/sample.ts";
import { defined } from "../../../src/core/objects.ts";
import { runConformance } from "./run.ts";

const DEFAULT_PATIENCE_SECONDS = 600;

const { values } = parseArgs({
  options: {
    server: { type: "string" },
    video: { type: "string" },
    "video-url": { type: "string" },
    patience: { type: "string" },
  },
});
const { server, "video-url": videoUrl } = values;
const key = process.env["ASIDE_API_KEY"];
if (server === undefined || key === undefined || key === "") {
  process.stderr.write("Say which server with --server URL, and put its key into ASIDE_API_KEY.\n");
  process.exit(2);
}
const path = values.video ?? SAMPLE_CLIP;
const results = await runConformance(
  {
    server,
    key,
    video: { bytes: new Uint8Array(await readFile(path)), name: basename(path) },
    patienceSeconds: Number(values.patience ?? DEFAULT_PATIENCE_SECONDS),
    ...defined({ videoUrl }),
  },
  ({ title, outcome, reason }) => {
    process.stdout.write(`${outcome.padEnd(8)}${title}${reason === "" ? "" : `\n        ${reason}`}\n`);
  },
);
const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
process.stdout.write(`${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped\n`);
process.exitCode = count("failed") === 0 ? 0 : 1;
