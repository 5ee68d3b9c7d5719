import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { AudioDescriptionError } from "../../core/error.ts";
import type { Environment } from "../outgoing/local-only.ts";

// The one place that knows where programs are. A name alone would be looked for in the current folder first on Windows, and
// that is often the folder of a film, with files from other people.

/** A program that every installation of a system has, by its path below the system's own folder. */
const WINDOWS_PROGRAMS = {
  icacls: ["System32", "icacls.exe"],
  powershell: ["System32", "WindowsPowerShell", "v1.0", "powershell.exe"],
  reg: ["System32", "reg.exe"],
  rundll32: ["System32", "rundll32.exe"],
  whoami: ["System32", "whoami.exe"],
} as const satisfies Record<string, readonly string[]>;

const MAC_PROGRAMS = { launchctl: "/bin/launchctl", open: "/usr/bin/open" } as const;

/** Programs of a Linux desktop, wherever its distribution puts them. */
const LINUX_PROGRAMS = ["systemctl", "xdg-mime", "xdg-open"] as const;

/** Where systems put programs, whatever `PATH` says: of one that starts at log-in it says little. */
const USUAL_FOLDERS = ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin", "/run/current-system/sw/bin"];

/** A program of the system that Aside starts. */
export type SystemProgram = keyof typeof WINDOWS_PROGRAMS | keyof typeof MAC_PROGRAMS | (typeof LINUX_PROGRAMS)[number];

/** How a program of the system is called: its name and its arguments. */
export type SystemCommand = readonly [program: SystemProgram, ...args: string[]];

/** A program of the system is missing, or did not do what it was asked; `message` is a whole sentence. */
export class ProgramError extends AudioDescriptionError<"program_failed"> {}

/** Where a program is looked for; this process's own where nothing else is said. */
interface Place {
  readonly environment?: Environment;
  readonly platform?: NodeJS.Platform;
}

/**
 * A path as it may be given to `spawn` and its like.
 *
 * @throws TypeError for a name alone, or a path from the current folder.
 */
export function wholePath(program: string): string {
  if (isAbsolute(program)) return program;
  throw new TypeError(`a program is started by its whole path, not as "${program}"`);
}

/** Windows' own folder: what the system says in `SystemRoot`, where that is a folder on a disk; else the usual one. */
export function windowsFolder(environment: Environment = process.env): string {
  const told = environment["SystemRoot"] ?? environment["SYSTEMROOT"] ?? "";
  // A path without its disk would depend on the current folder, and one of the network on somebody else's computer.
  const isOnDisk = process.platform === "win32" ? /^[A-Za-z]:[\\/](?![\\/])/.test(told) : isAbsolute(told);
  return isOnDisk ? told : "C:\\Windows";
}

/**
 * Whole path of a program of the system.
 *
 * @throws ProgramError where the system has none.
 */
export async function systemProgram(
  name: SystemProgram,
  { environment = process.env, platform = process.platform }: Place = {},
): Promise<string> {
  if (platform === "win32" && name in WINDOWS_PROGRAMS) {
    return join(windowsFolder(environment), ...WINDOWS_PROGRAMS[name as keyof typeof WINDOWS_PROGRAMS]);
  }
  if (platform === "darwin" && name in MAC_PROGRAMS) return MAC_PROGRAMS[name as keyof typeof MAC_PROGRAMS];
  return (await firstProgram(USUAL_FOLDERS, name)) ?? (await neededProgram(name, { environment, platform }));
}

/** As {@link findProgram}. @throws ProgramError where there is none. */
export async function neededProgram(name: string, place: Place = {}): Promise<string> {
  const path = await findProgram(name, place);
  if (path !== null) return path;
  const message = `Aside needs the program "${name}", and this computer has none. Install it and try again.`;
  throw new ProgramError("program_failed", message);
}

/**
 * Runs a program of the system to its end, in its own folder, and gives what it wrote to standard output.
 *
 * @param timeoutMs How long it may take; no limit where absent.
 * @throws ProgramError where there is none, or it ends badly.
 */
export async function runSystemProgram([name, ...args]: SystemCommand, timeoutMs = 0): Promise<string> {
  const program = await systemProgram(name);
  const options = { windowsHide: true, timeout: timeoutMs, cwd: dirname(program) };
  try {
    return (await promisify(execFile)(wholePath(program), args, options)).stdout;
  } catch (cause) {
    // What it says may hold paths of its user, and stays with the cause.
    const message = `The system's program "${name}" failed. Try again; if it stays so, restart the computer.`;
    throw new ProgramError("program_failed", message, { cause });
  }
}

/**
 * Whole path of a program that a person named: a whole path as it is, a name alone by the folders of `PATH` that are whole
 * paths, then by the usual ones. `null` where there is none, and for a path from the current folder.
 */
export async function findProgram(
  name: string,
  { environment = process.env, platform = process.platform }: Place = {},
): Promise<string | null> {
  if (isAbsolute(name)) return name;
  if (/[\\/]/.test(name)) return null;
  const folders = (environment["PATH"] ?? environment["Path"] ?? "").split(delimiter).filter(isAbsolute);
  const isPlain = platform !== "win32" || /\.[^.]+$/.test(name);
  const names = isPlain ? [name] : [`${name}.exe`, `${name}.com`];
  for (const one of names) {
    const path = await firstProgram([...folders, ...(platform === "win32" ? [] : USUAL_FOLDERS)], one);
    if (path !== null) return path;
  }
  return null;
}

async function firstProgram(folders: readonly string[], name: string): Promise<string | null> {
  for (const folder of folders) if (await isProgram(join(folder, name))) return join(folder, name);
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
