import { access, readdir, statfs } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join } from "node:path";
import type { System } from "./catalog-row.ts";

/** What a computer has for models, as far as that can be told without starting a program. */
export interface Computer extends System {
  readonly memoryBytes: number;
  readonly processors: number;
}

/** Folders of Linux in which libraries stand, by system. */
const LIBRARY_FOLDERS = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];

/** Looks what this computer has. Nothing is started, so nothing can hang. */
export async function thisComputer(): Promise<Computer> {
  const system = { platform: process.platform, architecture: process.arch };
  return {
    ...system,
    memoryBytes: totalmem(),
    processors: availableParallelism(),
    hasGraphics: await hasGraphics(system),
  };
}

async function hasGraphics({ platform, architecture }: Omit<System, "hasGraphics">): Promise<boolean> {
  if (platform === "darwin") return architecture === "arm64";
  if (platform === "win32")
    return isThere(join(process.env["SYSTEMROOT"] ?? "C:\\Windows", "System32", "vulkan-1.dll"));
  const drivers = await readdir("/dev/dri").catch(() => []);
  const isDriven = drivers.some((name) => name.startsWith("renderD")) || (await isThere("/proc/driver/nvidia/version"));
  if (!isDriven) return false;
  const found = await Promise.all(LIBRARY_FOLDERS.map((folder) => isThere(join(folder, "libvulkan.so.1"))));
  return found.includes(true);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Bytes that are free on the disk of a folder, whether it is there yet or not. */
export async function freeBytes(folder: string): Promise<number> {
  for (let place = folder; ; place = dirname(place)) {
    const found = await statfs(place).catch(() => null);
    if (found !== null) return found.bavail * found.bsize;
    if (dirname(place) === place) return 0;
  }
}
