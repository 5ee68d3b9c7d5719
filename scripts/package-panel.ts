// Packs the plugin as dist/aside-<version>.ccx, and lists what is in it: `npm run package`.
import { packagePanel } from "../panel/build/package-panel.ts";

const { path, files } = await packagePanel("dist");
process.stdout.write(`${path}\n${Object.keys(files).join("\n")}\n`);
