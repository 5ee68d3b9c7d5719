import { existsSync } from "node:fs";
import promises, { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { COMPANION } from "../../../../src/cli/commands/companion/companion.ts";
import {
  desktopEntry,
  forgetDesktop,
  logInEntry,
  setLogInStart,
  tellDesktop,
} from "../../../../src/cli/commands/companion/log-in-start.ts";
import {
  readPairingFile,
  removePairingFile,
  writeFailurePage,
  writePairingFile,
} from "../../../../src/cli/commands/companion/page-opener.ts";
import { removeCompanion } from "../../../../src/cli/commands/companion/remove-companion.ts";
import { recordsFrom } from "../../../../src/cli/service-run/service-options.ts";
import type { CommandContext } from "../../../../src/cli/shell/command.ts";
import { lockDataFolder } from "../../../../src/service/storage/data-folder-lock.ts";
import { replaceCalls } from "../../../fakes/replaced-calls.ts";
import { turns } from "../../../fakes/set-clock.ts";
import { unawaitedChanges } from "../../../fakes/slow-disk.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

// What the companion tells a system of its user, and takes back, in this process: nothing is left half done when it says so.

describe.skipIf(process.platform !== "linux")("removing a companion", () => {
  let home = "";
  let data = "";
  let places: string[] = [];
  const printed: string[] = [];
  const desktop = () => join(home, ".local/share/applications/aside.desktop");
  const unit = () => join(home, ".config/systemd/user/aside-companion.service");

  beforeEach(async () => {
    home = await temporaryFolder();
    // No program of the system is found: nobody's desktop is told anything.
    vi.stubEnv("HOME", home);
    vi.stubEnv("PATH", home);
    data = join(home, ".local/share/aside");
    places = [];
    printed.length = 0;
    for (const path of [desktop(), unit(), join(home, "code", "a", "b")]) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, "x");
    }
    for (const name of ["other", "plain"]) await mkdir(join(data, name), { recursive: true });
    await writeFile(join(data, "plain", "film"), "x");
    for (const name of ["one", "two"]) {
      const place = join(await temporaryFolder(), "Aside data", name);
      await mkdir(place, { recursive: true });
      await symlink(place, join(data, name), "junction");
      places.push(place);
    }
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const remove = (choice: "ask" | "remove") => {
    const env = { HOME: home, ASIDE_CODE_CACHE: join(home, "code") };
    const output = { print: (line: string) => void printed.push(line), tell: () => undefined };
    const screen = { write: () => undefined };
    const context = { output, screen, env, signal: new AbortController().signal };
    return removeCompanion(recordsFrom({ values: {}, positionals: [] }, env), choice, context);
  };

  test("takes back what the system was told and the compiled code; data stays where nobody can be asked", async () => {
    await remove("ask");
    expect([desktop(), unit(), join(home, "code")].map(existsSync)).toEqual([false, false, false]);
    expect(existsSync(join(data, "plain", "film"))).toBe(true);
    expect(printed).toEqual([
      "Aside no longer starts at log-in or by its address.",
      `Films, results and settings stay in ${[data, ...places].join(" and ")}, and keys of providers where they are.`,
      "Now delete the folder of Aside itself.",
    ]);
  });

  test("takes all data where that is asked for, in every place, when it says so", async () => {
    await writeFile(join(dirname(places[1] ?? ""), "of somebody else"), "stays");
    expect(await unawaitedChanges(dirname(home), () => remove("remove"))).toEqual([]);
    expect([data, ...places].map(existsSync)).toEqual([false, false, false]);
    // "Aside data" goes where nothing else is in it.
    expect(places.map((place) => existsSync(dirname(place)))).toEqual([false, true]);
    expect(printed[1]).toBe("Films, results, settings and keys are gone.");
  });

  test("takes each part that may have a key out of the settings before their folder, which may not go", async () => {
    // Where variables decide, a part has none.
    for (const name of ["ASIDE_VISION_URL", "ASIDE_TRANSCRIPTION_URL", "ASIDE_VOICE_URL"]) vi.stubEnv(name, undefined);
    const settings = join(data, "settings.json");
    const parts = { describer: { server: "http://127.0.0.1:1" }, dialogue: { server: "http://127.0.0.1:2" } };
    const voice = { server: "http://127.0.0.1:3", model: "speaker" };
    await writeFile(settings, JSON.stringify({ version: 2, ...parts, voice }));
    const { rm } = promises;
    const refused = async (...given: Parameters<typeof rm>) => {
      if (given[0] === data) throw new Error("the folder is held");
      await rm(...given);
    };
    const restore = replaceCalls(promises, { rm: refused });
    try {
      await expect(remove("remove")).rejects.toThrow("the folder is held");
    } finally {
      restore();
    }
    const { version: _, ...left } = JSON.parse(await readFile(settings, "utf8"));
    expect(Object.values(left).filter((part) => Object.keys(Object(part)).length > 0)).toEqual([]);
  });

  test.each([
    ["in one of several folders of the user", () => join(data, "other")],
    ["in another of them", () => join(data, "plain")],
    ["in one of several places", () => places[1] ?? ""],
  ])("takes nothing while something has data open %s", async (_name, where) => {
    // Somebody who was killed wrote themselves down in the first that is looked at.
    await writeFile(join(data, "one", "service.json"), JSON.stringify({ pid: 1, startedAt: "then" }));
    const lock = await lockDataFolder(where());
    await expect(remove("remove")).rejects.toMatchObject({ code: "data_folder_in_use" });
    expect([data, ...places].map(existsSync)).toEqual([true, true, true]);
    await lock.release();
    // Nothing is held that was only looked at.
    await (await lockDataFolder(places[0] ?? "")).release();
    await remove("remove");
    expect([data, ...places].map(existsSync)).toEqual([false, false, false]);
  });
});

describe("the entry that starts the companion at log-in", () => {
  const command = ["/a b/aside", "companion", 'say "50%" & $HOME\\n'] as const;
  const on = (platform: NodeJS.Platform) => logInEntry(command, { platform, home: "/home/u", uid: 501 });

  test("is a user unit whose every word is quoted, and that counts from now on", () => {
    const { file, on: steps, off } = on("linux");
    expect(file?.path).toBe("/home/u/.config/systemd/user/aside-companion.service");
    expect(file?.content).toContain(
      'ExecStart="/a b/aside" "companion" "say \\"50%%\\" & $$HOME\\\\n"\nRestart=on-failure\nTimeoutStopSec=15\n',
    );
    expect(steps.map((step) => step.join(" "))).toEqual([
      "systemctl --user daemon-reload",
      "systemctl --user enable aside-companion.service",
    ]);
    expect(off.join(" ")).toBe("systemctl --user disable aside-companion.service");
  });

  test("is a launch agent with every word, as XML has it", () => {
    const { file, on: steps, off } = on("darwin");
    expect(file?.path).toBe("/home/u/Library/LaunchAgents/app.aside.companion.plist");
    const words = [...(file?.content ?? "").matchAll(/^ {4}<string>(.*)<\/string>$/gm)].map(([, word]) => word);
    expect(words).toEqual(["/a b/aside", "companion", "say &quot;50%&quot; &amp; $HOME\\n"]);
    expect([steps, off]).toEqual([
      [["launchctl", "bootstrap", "gui/501", file?.path]],
      ["launchctl", "bootout", "gui/501/app.aside.companion"],
    ]);
  });

  test("is a value of the Run key with every word in quotes", () => {
    const { file, on: steps, off } = on("win32");
    expect([file, steps[0]?.slice(0, 2), steps[0]?.[8], off.slice(0, 2)]).toEqual([
      undefined,
      ["reg", "add"],
      '"/a b/aside" "companion" "say "50%" & $HOME\\n"',
      ["reg", "delete"],
    ]);
  });

  test("of the desktop names the launcher, escaped twice, and the address", () => {
    const { file, commands } = desktopEntry('/a "b"/50%\\x', { platform: "linux", home: "/home/u" });
    expect(file?.path).toBe("/home/u/.local/share/applications/aside.desktop");
    expect(file?.content).toContain('Exec="/a \\\\"b\\\\"/50%%\\\\\\\\x"\n');
    expect(commands).toEqual([["xdg-mime", "default", "aside.desktop", "x-scheme-handler/aside"]]);
    const windows = desktopEntry("C:\\aside.exe", { platform: "win32", home: "" });
    expect([windows.commands.length, windows.commands[2]?.[5]]).toEqual([3, '"C:\\aside.exe"']);
    expect(windows.back?.join(" ")).toBe("reg delete HKCU\\Software\\Classes\\aside /f");
    expect(desktopEntry("/x", { platform: "darwin", home: "" })).toEqual({ commands: [] });
  });
});

describe("a system is told", () => {
  /** A user whose system notes what it is told; the first refusal of its programs is that of the given one. */
  async function user(platform: NodeJS.Platform, refused?: string) {
    const told: string[] = [];
    const run = async ([name, ...given]: readonly string[]) => {
      await turns();
      told.push([name, ...given.slice(0, 2)].join(" "));
      if (name === refused) throw new Error("no");
    };
    return { platform, home: await temporaryFolder(), told, run };
  }
  const COMMAND = ["/opt/aside", "companion"] as const;

  test("to start the companion at log-in by its file and every command, and no longer", async () => {
    const linux = await user("linux");
    const unit = join(linux.home, ".config/systemd/user/aside-companion.service");
    await setLogInStart(true, COMMAND, linux);
    expect(await readFile(unit, "utf8")).toContain('ExecStart="/opt/aside" "companion"\n');
    expect(linux.told).toEqual(["systemctl --user daemon-reload", "systemctl --user enable"]);
    await setLogInStart(false, COMMAND, linux);
    expect([linux.told[2], existsSync(unit)]).toEqual(["systemctl --user disable", false]);
    const windows = await user("win32");
    for (const isOn of [true, false]) await setLogInStart(isOn, COMMAND, windows);
    const key = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";
    expect(windows.told).toEqual([`reg add ${key}`, `reg delete ${key}`]);
    const refusing = await user("linux", "systemctl");
    await expect(setLogInStart(true, COMMAND, refusing)).rejects.toThrow("no");
    await setLogInStart(false, COMMAND, refusing);
  });

  test("how it is opened by every command, and nothing of it any more", async () => {
    const key = "HKCU\\Software\\Classes\\aside";
    const windows = await user("win32");
    await tellDesktop("C:\\aside.exe", windows);
    expect(windows.told).toEqual([`reg add ${key}`, `reg add ${key}`, `reg add ${key}\\shell\\open\\command`]);
    await forgetDesktop(windows);
    expect(windows.told.slice(3)).toEqual([`reg delete ${key}`]);
    const linux = await user("linux", "xdg-mime");
    const entry = join(linux.home, ".local/share/applications/aside.desktop");
    await tellDesktop("/opt/aside.sh", linux);
    expect(await readFile(entry, "utf8")).toContain('Exec="/opt/aside.sh"\n');
    await forgetDesktop(linux);
    expect([linux.told, existsSync(entry)]).toEqual([["xdg-mime default aside.desktop"], false]);
  });
});

describe("what is left for the panel and the browser", () => {
  const pairing = (pid: number) => ({ address: "http://127.0.0.1:8420", key: "aside_secret", pid, version: "1" });

  test("is a pairing that is there when it is written, and that only its own process takes away", async () => {
    const path = join(await temporaryFolder(), "companion.json");
    await writePairingFile(pairing(7), path);
    expect(await readPairingFile(path)).toMatchObject({ pid: 7, address: "http://127.0.0.1:8420" });
    await removePairingFile(8, path);
    expect(existsSync(path)).toBe(true);
    await removePairingFile(7, path);
    expect([existsSync(path), await readPairingFile(path)]).toEqual([false, null]);
    await removePairingFile(7, path);
  });

  test("is a page with every sentence of why it could not start", async () => {
    const path = join(await temporaryFolder(), "page.html");
    expect(await writeFailurePage(["The port <8420> is taken.", "Choose another."], path)).toBe(path);
    const text = await readFile(path, "utf8");
    expect(text).toContain(
      "<p>The port &lt;8420&gt; is taken.</p>\n<p>Choose another.</p>\n<p>Then open Aside again.</p>",
    );
  });
});

test.skipIf(process.platform !== "linux")(
  "a companion starts at log-in once the system was told, and says so no sooner",
  async () => {
    const home = await temporaryFolder();
    // No program of the system is found.
    vi.stubEnv("HOME", home);
    vi.stubEnv("PATH", home);
    try {
      const printed: string[] = [];
      const context = { output: { print: (text: string) => printed.push(text) } } as unknown as CommandContext;
      const set = (word: string) => COMPANION.run({ values: { "at-login": word }, positionals: [] }, context);
      const unit = join(home, ".config/systemd/user/aside-companion.service");
      await expect(set("on")).rejects.toThrow();
      expect(printed).toEqual([]);
      expect(await readFile(unit, "utf8")).toContain("companion");
      // What is not there need not be taken back.
      await set("off");
      expect([printed, existsSync(unit)]).toEqual([["Aside does not start at log-in."], false]);
    } finally {
      vi.unstubAllEnvs();
    }
  },
);
