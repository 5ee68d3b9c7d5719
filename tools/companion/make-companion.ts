// Makes the companion that an editor double-clicks: `npm run tool -- package:companion --platform win-x64`.
import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { packageCompanion } from "./package-companion.ts";
import { PLATFORMS } from "./platforms.ts";

const { values } = parseArgs({
  options: {
    platform: { type: "string" },
    out: { type: "string", default: "dist" },
  },
});
const platform = PLATFORMS[values.platform ?? ""];
if (platform === undefined) {
  process.stderr.write(`Name a platform: --platform ${Object.keys(PLATFORMS).join("|")}\n`);
  process.exit(2);
}
await mkdir(values.out, { recursive: true });
const { path, bytes, unpackedBytes } = await packageCompanion(platform, values.out);
const megabytes = (size: number) => `${(size / 1e6).toFixed(0)} MB`;
process.stdout.write(`${megabytes(unpackedBytes)} unpacked\n${path}: ${megabytes(bytes)}\n`);
