// Builds the plugin into dist/panel, for Adobe's developer tool: `npm run build:panel`.
import { buildPanel } from "../panel/build/build-panel.ts";

const { folder, scriptBytes } = await buildPanel("dist/panel");
process.stdout.write(`${folder}: index.js of ${scriptBytes} bytes\n`);
