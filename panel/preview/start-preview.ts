// `npm run preview [-- VIDEO]`: the panel in a browser, over a pretended Premiere and the embedded service. `npm run dev` is the
// same with `--watch`: what is changed in the sources is built again, and the panel in the browser reloaded.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { startPreview } from "./preview.ts";

const { values, positionals } = parseArgs({
  options: { port: { type: "string" }, watch: { type: "boolean" } },
  allowPositionals: true,
});
const [mediaPath] = positionals;
const say = (line: string) => process.stdout.write(`${line}\n`);

say("Building the panel and starting the service ...");
const preview = await startPreview({
  // Where the panel looks for a service on this computer.
  port: Number(values.port ?? 8420),
  ...(mediaPath === undefined ? {} : { mediaPath: resolve(mediaPath) }),
  ...(values.watch === true ? { watch: (fault) => say(fault ?? "Built.") } : {}),
});
say(`Open ${preview.url} in a browser. Only this computer can reach it.`);
say(`The panel asks for a service and a key: ${preview.url} and ${preview.apiKey}`);
say("Everything the preview made goes when it ends. Stop with Ctrl-C.");
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void preview.close().then(() => process.exit(0));
  });
}
