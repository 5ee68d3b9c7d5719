import { mkdir, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { runSystemProgram, type SystemCommand } from "../../../engine/isolate/programs.ts";

/** Name of the entry that starts the companion at log-in. */
const LABEL = "app.aside.companion";

/** How a system starts a program at log-in. */
export interface LogInEntry {
  /** The file that says so; absent where there is none. */
  readonly file?: { readonly path: string; readonly content: string };
  /** Commands that make it count, after the file is there. */
  readonly on: readonly SystemCommand[];
  /** Takes it back, before the file goes. */
  readonly off: SystemCommand;
}

/**
 * The entry of a system: a launch agent, a value of the user's Run key, or a user unit of systemd.
 *
 * @param command Program and arguments, with whole paths.
 */
export function logInEntry(
  command: readonly [program: string, ...args: string[]],
  { platform, home, uid }: { readonly platform: NodeJS.Platform; readonly home: string; readonly uid: number },
): LogInEntry {
  if (platform === "darwin") {
    const path = `${home}/Library/LaunchAgents/${LABEL}.plist`;
    return {
      file: { path, content: launchAgent(command) },
      on: [["launchctl", "bootstrap", `gui/${uid}`, path]],
      off: ["launchctl", "bootout", `gui/${uid}/${LABEL}`],
    };
  }
  if (platform === "win32") {
    const key = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";
    const line = command.map((word) => `"${word}"`).join(" ");
    return {
      on: [["reg", "add", key, "/v", "Aside", "/t", "REG_SZ", "/d", line, "/f"]],
      off: ["reg", "delete", key, "/v", "Aside", "/f"],
    };
  }
  const path = join(home, ".config", "systemd", "user", "aside-companion.service");
  return {
    file: { path, content: userUnit(command) },
    on: [
      ["systemctl", "--user", "daemon-reload"],
      ["systemctl", "--user", "enable", "aside-companion.service"],
    ],
    off: ["systemctl", "--user", "disable", "aside-companion.service"],
  };
}

/** Who is told: a user's system. */
interface LogInSystem {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Runs one of its programs. @throws ProgramError */
  readonly run: (command: SystemCommand) => Promise<unknown>;
}

const thisSystem = (): LogInSystem => ({ platform: process.platform, home: homedir(), run: runSystemProgram });

/** Starts the companion at log-in from now on, or no longer. @throws the system's error, ProgramError. */
export async function setLogInStart(
  isOn: boolean,
  command: readonly [string, ...string[]],
  { platform, home, run }: LogInSystem = thisSystem(),
): Promise<void> {
  const entry = logInEntry(command, { platform, home, uid: process.getuid?.() ?? 0 });
  if (isOn) {
    if (entry.file !== undefined) {
      await mkdir(dirname(entry.file.path), { recursive: true });
      await writeFile(entry.file.path, entry.file.content);
    }
    for (const step of entry.on) await run(step);
    return;
  }
  // What is not there need not be taken back.
  await run(entry.off).catch(() => undefined);
  if (entry.file !== undefined) await rm(entry.file.path, { force: true });
}

function launchAgent(command: readonly string[]): string {
  const escaped = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  const words = command.map((word) => `    <string>${escaped(word)}</string>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
  <key>RunAtLoad</key>
  <true/>
</dict>
</plist>
`;
}

function userUnit(command: readonly string[]): string {
  // Quoted as systemd reads it: a backslash, a quote, a percent sign and a dollar mean something.
  const quoted = (word: string) =>
    `"${word
      .replaceAll("\\", "\\\\")
      .replaceAll('"', '\\"')
      .replaceAll("%", "%%")
      .replaceAll("$", () => "$$")}"`;
  return `[Unit]
Description=Aside, audio description for film editors

[Service]
ExecStart=${command.map(quoted).join(" ")}
Restart=on-failure
TimeoutStopSec=15

[Install]
WantedBy=default.target
`;
}

/** What a system is told, so that it starts Aside among its programs and by the address `aside://start`. */
export interface DesktopEntry {
  /** A file; absent where commands do all of it. */
  readonly file?: { readonly path: string; readonly content: string };
  readonly commands: readonly SystemCommand[];
  /** Takes it back, where the file does not do all of it; that goes too. */
  readonly back?: SystemCommand;
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
  if (platform === "darwin") return { commands: [] };
  if (platform === "win32") {
    const key = "HKCU\\Software\\Classes\\aside";
    const add = (path: string, ...value: string[]) => ["reg", "add", path, ...value, "/f"] as const;
    return {
      commands: [
        add(key, "/ve", "/d", "URL:Aside"),
        add(key, "/v", "URL Protocol", "/d", ""),
        add(`${key}\\shell\\open\\command`, "/ve", "/d", `"${launcher}"`),
      ],
      back: ["reg", "delete", key, "/f"],
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
  return { file: { path, content }, commands: [["xdg-mime", "default", name, "x-scheme-handler/aside"]] };
}

/** Tells the system of this user how Aside is started. Where it does not listen, Aside is started by hand. */
export async function tellDesktop(
  launcher: string,
  { platform, home, run }: LogInSystem = thisSystem(),
): Promise<void> {
  const { file, commands } = desktopEntry(launcher, { platform, home });
  try {
    if (file !== undefined) {
      await mkdir(dirname(file.path), { recursive: true });
      await writeFile(file.path, file.content);
    }
    for (const command of commands) await run(command);
  } catch {
    // A desktop without these programs, or none at all.
  }
}

/** Takes back what {@link tellDesktop} told. What is not there need not be taken back. */
export async function forgetDesktop({ platform, home, run }: LogInSystem = thisSystem()): Promise<void> {
  const { file, back } = desktopEntry("", { platform, home });
  if (file !== undefined) await rm(file.path, { force: true });
  if (back !== undefined) await run(back).catch(() => undefined);
}
