import { expect, test } from "vitest";
import { presetFolders } from "../../../src/host/uxp/application-folders.ts";

/** A computer on which folders hold what is listed, and whatever else may not be looked at. */
function computer(folders: Readonly<Record<string, readonly string[]>>) {
  const looked: string[] = [];
  const list = async (path: string) => {
    looked.push(path);
    const names = folders[path];
    if (names === undefined) throw new Error("EPERM");
    return names;
  };
  return { looked, list };
}

async function found(
  runtime: Parameters<typeof presetFolders>[0],
  files: Parameters<typeof presetFolders>[1],
): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path, from } of presetFolders(runtime, files)) paths.push(`${from}: ${path}`);
  return paths;
}

const PRESETS = "Contents/MediaIO/systempresets";

test("on macOS every form of the name is looked at, the newest first, then a beta, then other volumes", async () => {
  const files = computer({
    "/Applications": [
      "Adobe Premiere Pro 2025",
      "Adobe Premiere Pro (Beta)",
      "Adobe Premiere 2026",
      "Adobe Premiere Pro 2026 (Beta)",
      "Adobe Premiere Elements 2026",
      "Adobe Premiere Rush",
      "Safari.app",
    ],
    "/Applications/Adobe Premiere 2026": ["Adobe Premiere 2026.app", "Uninstall"],
    "/Applications/Adobe Premiere Pro 2026 (Beta)": ["Adobe Premiere Pro 2026 (Beta).app"],
    "/Applications/Adobe Premiere Pro 2025": ["Adobe Premiere Pro 2025.app"],
    "/Applications/Adobe Premiere Pro (Beta)": ["Adobe Premiere Pro (Beta).app"],
    "/Users/ed/Applications": ["Adobe Premiere.app"],
    "/Volumes": ["Macintosh HD", "Work", "Old"],
    "/Volumes/Work/Applications": ["Adobe Premiere Pro 2026"],
    "/Volumes/Work/Applications/Adobe Premiere Pro 2026": ["Adobe Premiere Pro 2026.app"],
    "/Volumes/Old/Applications": ["Adobe Premiere Pro 2024.app"],
  });
  expect(await found({ platform: "darwin", homeFolder: "/Users/ed" }, files)).toEqual([
    `usual place: /Applications/Adobe Premiere 2026/Adobe Premiere 2026.app/${PRESETS}`,
    `usual place: /Applications/Adobe Premiere Pro 2026 (Beta)/Adobe Premiere Pro 2026 (Beta).app/${PRESETS}`,
    `usual place: /Applications/Adobe Premiere Pro 2025/Adobe Premiere Pro 2025.app/${PRESETS}`,
    `usual place: /Applications/Adobe Premiere Pro (Beta)/Adobe Premiere Pro (Beta).app/${PRESETS}`,
    `usual place: /Users/ed/Applications/Adobe Premiere.app/${PRESETS}`,
    `other drive: /Volumes/Work/Applications/Adobe Premiere Pro 2026/Adobe Premiere Pro 2026.app/${PRESETS}`,
    `other drive: /Volumes/Old/Applications/Adobe Premiere Pro 2024.app/${PRESETS}`,
  ]);
});

test("on macOS without a folder of one's own, only the places of all are looked at", async () => {
  const files = computer({ "/Applications": ["Adobe Premiere 2026.app"], "/Volumes": [] });
  expect(await found({ platform: "darwin", homeFolder: "" }, files)).toHaveLength(1);
  expect(files.looked).toEqual(["/Applications", "/Volumes"]);
});

test.each(["win32", "win10"])(
  "on Windows (%s) the programs' folders and those of other drives are looked at",
  async (platform) => {
    const files = computer({
      "C:\\Program Files\\Adobe": ["Adobe Premiere Pro 2025", "Adobe Premiere 2026", "Adobe Media Encoder 2026"],
      "E:\\Adobe": ["Adobe Premiere Pro 2026 (Beta)"],
    });
    expect(await found({ platform, homeFolder: "C:\\Users\\ed" }, files)).toEqual([
      "usual place: C:\\Program Files\\Adobe\\Adobe Premiere 2026\\MediaIO\\systempresets",
      "usual place: C:\\Program Files\\Adobe\\Adobe Premiere Pro 2025\\MediaIO\\systempresets",
      "other drive: E:\\Adobe\\Adobe Premiere Pro 2026 (Beta)\\MediaIO\\systempresets",
    ]);
  },
);

test("where the application says that it lies comes first, and nothing else is looked at unless it is asked for", async () => {
  const files = computer({ "/Applications": ["Adobe Premiere 2026"] });
  for (const applicationPath of [
    "/Volumes/Work/Adobe Premiere 2026.app/",
    "/Volumes/Work/Adobe Premiere 2026.app/Contents/MacOS/Adobe Premiere 2026",
  ]) {
    const folders = presetFolders({ platform: "darwin", homeFolder: "", applicationPath }, files);
    expect(await folders.next()).toMatchObject({
      value: { path: `/Volumes/Work/Adobe Premiere 2026.app/${PRESETS}`, from: "application" },
    });
  }
  expect(files.looked).toEqual([]);
  const applicationPath = "\\\\?\\D:\\Adobe\\Premiere\\Adobe Premiere Pro.exe";
  expect((await found({ platform: "win10", homeFolder: "", applicationPath }, files))[0]).toBe(
    "application: D:\\Adobe\\Premiere\\MediaIO\\systempresets",
  );
});
