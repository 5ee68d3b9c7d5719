import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The folder in which this user's data of the product stands, by the custom of the system: `~/Library/Application
 * Support/Aside`, `%LOCALAPPDATA%\Aside`, else `$XDG_DATA_HOME/aside` or `~/.local/share/aside`.
 */
export function userFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const home = homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support", "Aside");
  if (platform === "win32") return join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "Aside");
  // The XDG Base Directory Specification: a relative path there is invalid and counts as none.
  const xdg = env["XDG_DATA_HOME"] ?? "";
  return join(xdg.startsWith("/") ? xdg : join(home, ".local", "share"), "aside");
}
