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
  /** Commands that take it back, before the file goes. */
  readonly off: readonly SystemCommand[];
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
      off: [["launchctl", "bootout", `gui/${uid}/${LABEL}`]],
    };
  }
  if (platform === "win32") {
    const key = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";
    const line = command.map((word) => `"${word}"`).join(" ");
    return {
      on: [["reg", "add", key, "/v", "Aside", "/t", "REG_SZ", "/d", line, "/f"]],
      off: [["reg", "delete", key, "/v", "Aside", "/f"]],
    };
  }
  const path = join(home, ".config", "systemd", "user", "aside-companion.service");
  return {
    file: { path, content: userUnit(command) },
    on: [
      ["systemctl", "--user", "daemon-reload"],
      ["systemctl", "--user", "enable", "aside-companion.service"],
    ],
    off: [["systemctl", "--user", "disable", "aside-companion.service"]],
  };
}

/** Starts the companion at log-in from now on, or no longer. @throws the system's error, ProgramError. */
export async function setLogInStart(isOn: boolean, command: readonly [string, ...string[]]): Promise<void> {
  const entry = logInEntry(command, { platform: process.platform, home: homedir(), uid: process.getuid?.() ?? 0 });
  if (isOn) {
    if (entry.file !== undefined) {
      await mkdir(dirname(entry.file.path), { recursive: true });
      await writeFile(entry.file.path, entry.file.content);
    }
    for (const step of entry.on) await runSystemProgram(step);
    return;
  }
  // What is not there need not be taken back.
  for (const step of entry.off) await runSystemProgram(step).catch(() => undefined);
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
