import { existsSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder with `bin` and `src`. */
const PROGRAM = fileURLToPath(new URL("../../..", import.meta.url));

/** What starts the command line of a companion's package, from its program's folder. */
const LAUNCHERS = ["../aside-command-line.cmd", "../../MacOS/aside", "../aside.sh"];

/** Where a command is typed; this process's own where nothing else is said. */
interface Typed {
  /** Folder of the program. */
  readonly program?: string;
  readonly cwd?: string;
  /** As Node has it: the script that was started, by the name it was started by. */
  readonly started?: string | undefined;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * How whoever reads this calls the command line where they are: the launcher of a companion's package, `aside` where it is
 * installed as a command, else Node with the program in its checkout. Never by `npx`, which outside the checkout would
 * run whatever package has the name.
 */
export function ownCommand({
  program = resolve(PROGRAM),
  cwd = process.cwd(),
  started = process.argv[1],
  environment = process.env,
}: Typed = {}): string {
  const launcher = LAUNCHERS.map((path) => resolve(program, path)).find((path) => existsSync(path));
  if (launcher !== undefined) return quoted(launcher);
  // npm's own way of running it makes a command that is there for that one run.
  if (basename(started ?? "") === "aside" && environment["npm_command"] === undefined) return "aside";
  const main = join(program, "bin", "aside.mjs");
  const near = relative(cwd, main);
  return `node ${near.startsWith("..") ? quoted(main) : quoted(near.replaceAll("\\", "/"))}`;
}

function quoted(path: string): string {
  return /[^\w./\\:@~-]/.test(path) ? `"${path}"` : path;
}
