// Packs the plugin as dist/aside-<version>.ccx, and lists what is in it: `npm run package`.
import { mkdir } from "node:fs/promises";
import { packagePanel } from "../panel/build/package-panel.ts";

// A fresh checkout has none.
await mkdir("dist", { recursive: true });
const { path, files } = await packagePanel("dist");
process.stdout.write(`${path}\n${Object.keys(files).join("\n")}\n`);
