import { mkdir, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { runSystemProgram, type SystemCommand } from "../../../engine/isolate/programs.ts";

/** What a system is told, so that it starts Aside among its programs and by the address `aside://start`. */
export interface DesktopEntry {
  /** A file; absent where commands do all of it. */
  readonly file?: { readonly path: string; readonly content: string };
  readonly commands: readonly SystemCommand[];
  /** Commands that take it back; the file goes too. */
  readonly back: readonly SystemCommand[];
}

/**
 * What a system is told of a launcher. Nothing on macOS: the application says it itself.
 *
 * @param launcher Whole path of the file that is opened.
 */
export function desktopEntry(
  launcher: string,
  { platform, home }: { readonly platform: NodeJS.Platform; readonly home: string },
): DesktopEntry {
  if (platform === "darwin") return { commands: [], back: [] };
  if (platform === "win32") {
    const key = "HKCU\\Software\\Classes\\aside";
    const add = (path: string, ...value: string[]) => ["reg", "add", path, ...value, "/f"] as const;
    return {
      commands: [
        add(key, "/ve", "/d", "URL:Aside"),
        add(key, "/v", "URL Protocol", "/d", ""),
        add(`${key}\\shell\\open\\command`, "/ve", "/d", `"${launcher}"`),
      ],
      back: [["reg", "delete", key, "/f"]],
    };
  }
  const name = "aside.desktop";
  const path = join(home, ".local", "share", "applications", name);
  // Twice: the file escapes its values, and the value of Exec is quoted in itself.
  const quoted = launcher
    .replace(/["`$\\]/g, "\\$&")
    .replaceAll("\\", "\\\\")
    .replaceAll("%", "%%");
  const content = `[Desktop Entry]
Type=Application
Name=Aside
Comment=Audio description for film editors
Exec="${quoted}"
Terminal=false
Categories=AudioVideo;
MimeType=x-scheme-handler/aside;
`;
  return { file: { path, content }, commands: [["xdg-mime", "default", name, "x-scheme-handler/aside"]], back: [] };
}

/** Tells the system of this user how Aside is started. Where it does not listen, Aside is started by hand. */
export async function tellDesktop(launcher: string): Promise<void> {
  const { file, commands } = desktopEntry(launcher, { platform: process.platform, home: homedir() });
  try {
    if (file !== undefined) {
      await mkdir(dirname(file.path), { recursive: true });
      await writeFile(file.path, file.content);
    }
    for (const command of commands) await runSystemProgram(command);
  } catch {
    // A desktop without these programs, or none at all.
  }
}

/** Takes back what {@link tellDesktop} told. What is not there need not be taken back. */
export async function forgetDesktop(): Promise<void> {
  const { file, back } = desktopEntry("", { platform: process.platform, home: homedir() });
  if (file !== undefined) await rm(file.path, { force: true });
  for (const command of back) await runSystemProgram(command).catch(() => undefined);
}
