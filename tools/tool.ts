// What is neither product nor test: `npm run tool` lists it, `npm run tool -- NAME` runs one with the arguments behind the name.
import { fileURLToPath } from "node:url";
import { toolList, toolOf } from "./registry.ts";

const [name, ...args] = process.argv.slice(2);
const tool = name === undefined ? null : toolOf(name);
if (tool !== null && tool.hasHelp === undefined && args.includes("--help")) {
  process.stdout.write(`${tool.name}: ${tool.sentence}\n`);
} else if (tool !== null) {
  const file = new URL(tool.file, import.meta.url);
  // As if Node had been started with it.
  process.argv.splice(1, Number.POSITIVE_INFINITY, fileURLToPath(file), ...args);
  await import(file.href);
} else if (name === undefined) {
  process.stdout.write(toolList());
} else {
  process.stderr.write(`There is no tool ${name}. npm run tool lists what there is.\n`);
  process.exitCode = 2;
}
