/** A system whose folders and paths differ from those of the others. */
export type OperatingSystem = "windows" | "mac" | "other";

/**
 * The system that a platform's name stands for. Node calls Windows `win32`, UXP was seen to call it `win10` as well.
 *
 * @param platform As `os.platform()` or `process.platform` says it.
 */
export function operatingSystem(platform: string): OperatingSystem {
  const name = platform.toLowerCase();
  if (name.startsWith("win")) return "windows";
  return name === "darwin" || name.startsWith("mac") ? "mac" : "other";
}
