// Orders a model in a process of its own, which a test may kill: what it does is told on standard output.
import { orderModels } from "../../../src/engine/store/install.ts";

const { model, folder, from } = JSON.parse(process.argv[2] ?? "");
let last = "";
await orderModels([model], {
  folder,
  from,
  environment: {},
  signal: new AbortController().signal,
  onProgress({ state }) {
    if (state !== last) process.stdout.write(`${state}\n`);
    last = state;
  },
});
process.stdout.write("done\n");
