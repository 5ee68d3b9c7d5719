import { runCommandLine } from "./command-line.ts";
import { endWith } from "./shell/run-command.ts";

await endWith((terminal) => runCommandLine(process.argv.slice(2), terminal));
