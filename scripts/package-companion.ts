// Makes the companion that an editor double-clicks: `npm run package:companion -- --platform win-x64`. With `--deb`, for
// linux-x64, a Debian package beside it.
import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { packageCompanion } from "../deploy/companion/package-companion.ts";
import { PLATFORMS } from "../deploy/companion/platforms.ts";

const { values } = parseArgs({
  options: {
    platform: { type: "string" },
    out: { type: "string", default: "dist" },
    deb: { type: "boolean", default: false },
  },
});
const platform = PLATFORMS[values.platform ?? ""];
if (platform === undefined) {
  process.stderr.write(`Name a platform: --platform ${Object.keys(PLATFORMS).join("|")}\n`);
  process.exit(2);
}
if (values.deb && values.platform !== "linux-x64") {
  process.stderr.write("A Debian package is made of linux-x64 alone: --platform linux-x64 --deb\n");
  process.exit(2);
}
await mkdir(values.out, { recursive: true });
const { files, unpackedBytes } = await packageCompanion(platform, values.out, values.deb);
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
process.stdout.write(`${megabytes(unpackedBytes)} unpacked\n`);
for (const { path, bytes } of files) process.stdout.write(`${path}: ${megabytes(bytes)}\n`);
