// Packs the plugin as dist/aside-<version>.ccx, and lists what is in it: `npm run package`. With `-- --marketplace [--id ID]` the one
// for Adobe's Marketplace, which launches nothing and shows no tools for developers; ID is the identity that the Marketplace issued.
import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { packagePanel } from "../panel/build/package-panel.ts";

const { values } = parseArgs({ options: { marketplace: { type: "boolean" }, id: { type: "string" } } });
// A fresh checkout has none.
await mkdir("dist", { recursive: true });
const { path, files } = await packagePanel("dist", {
  edition: values.marketplace === true ? "marketplace" : "direct",
  id: values.id,
});
process.stdout.write(`${path}\n${Object.keys(files).join("\n")}\n`);
