// Uploads a file in slices as the panel does, in a process of its own so that its memory can be measured. Arguments: the
// file, the address. Tries again whenever the line breaks. Prints one line of JSON.

import { UxpTransfer } from "../../../src/host/uxp/uxp-transfer.ts";
import { UxpFiles } from "../../../src/host/uxp/work-folder.ts";
import { makeFs } from "../../fakes/uxp/fs.ts";
import { NodeDisk } from "../../fakes/uxp/node-disk.ts";
import { nodeWire } from "../../fakes/uxp/node-wire.ts";
import { makeRequests } from "../../fakes/uxp/xml-http-request.ts";

const [path = "", url = ""] = process.argv.slice(2);
const fs = makeFs({ disk: new NodeDisk(), schemes: {}, hasFullAccess: true, random: Math.random });
const Requests = makeRequests({ wire: nodeWire, domains: "all" });
const transfer = new UxpTransfer({ Requests, files: new UxpFiles(fs.module) });
let breaks = 0;
for (;;) {
  try {
    const { signal } = new AbortController();
    const reply = await transfer.upload({ path, url: "", resumableUrl: url, contentType: "video/mp4", signal });
    const peakMegabytes = process.resourceUsage().maxRSS / 1024;
    process.stdout.write(`${JSON.stringify({ status: reply.status, breaks, peakMegabytes })}\n`);
    break;
  } catch (error) {
    const isBroken = error instanceof Error && "code" in error && error.code === "connection_failed";
    if (!isBroken || breaks > 5) throw error;
    breaks += 1;
  }
}
