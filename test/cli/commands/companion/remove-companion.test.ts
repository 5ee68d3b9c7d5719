import { access, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { aside, asideHere, startAside } from "../../run-aside.ts";

/** Answers a question at a terminal of its own. */
const atTerminal = (answer: string) => `printf '${answer}\\n' | script -qec "$(printf '%q ' "$@")" /dev/null`;

/** A user whose data an earlier version moved to another disk, and whose desktop knows Aside. */
async function userWithData() {
  const [home, place, launcher] = [await temporaryFolder(), await temporaryFolder(), "/opt/aside/aside.sh"];
  const folder = join(home, ".local/share/aside");
  const moved = join(place, "Aside data", "server");
  for (const one of [folder, moved]) await mkdir(one, { recursive: true });
  await writeFile(join(moved, "film"), "picture");
  await symlink(moved, join(folder, "server"), "junction");
  await writeFile(join(folder, "settings.json"), '{"version": 2, "describer": {"server": "off"}}');
  await writeFile(join(place, "of somebody else"), "stays");
  await mkdir(join(home, ".local/share/applications"), { recursive: true });
  await writeFile(join(home, ".local/share/applications/aside.desktop"), launcher);
  return { home, place, folder, env: { HOME: home } };
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe.skipIf(process.platform !== "linux")("removing a companion", () => {
  thoroughTest(
    "ends the one that runs and takes back what the desktop knows; where nobody can be asked, data stays",
    async () => {
      const { home, env } = await userWithData();
      const data = await temporaryFolder();
      const running = startAside(["companion", "--no-page", "--data", data], { env });
      await running.shows(/the panel finds it by itself/);
      const removed = await aside(["companion", "--remove"], { env });
      expect(removed).toMatchObject({ code: 0, stdout: expect.stringMatching(/stay in .*Now delete the folder/s) });
      expect((await running.ended).code).toBe(0);
      expect(await isThere(join(home, ".local/share/applications/aside.desktop"))).toBe(false);
      expect(await isThere(join(home, ".local/share/aside/server/film"))).toBe(true);
      expect(await isThere(join(home, ".local/share/aside/settings.json"))).toBe(true);
    },
  );

  thoroughTest(
    "ends the one that runs by asking it: a signal would end it hard on Windows, with its key file left behind",
    async () => {
      const { home, env } = await userWithData();
      const running = startAside(["companion", "--no-page", "--data", await temporaryFolder()], { env });
      await running.shows(/the panel finds it by itself/);
      const asOnWindows = "process.kill=((kill)=>(pid,signal)=>kill.call(process,pid,signal===0?0:9))(process.kill)";
      const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(asOnWindows)}"`;
      const quit = await aside(["companion", "--quit"], { env: { ...env, NODE_OPTIONS } });
      expect(quit).toMatchObject({ code: 0, stdout: "Ended.\n" });
      expect((await running.ended).code).toBe(0);
      expect(await isThere(join(home, ".local/share/aside/companion.json"))).toBe(false);
      expect((await aside(["companion", "--quit"], { env })).stdout).toBe("Nothing runs.\n");
    },
  );

  thoroughTest("ends one that is too busy to answer just then, and never says that nothing runs", async () => {
    const { home, env } = await userWithData();
    const running = startAside(["companion", "--no-page", "--data", await temporaryFolder()], { env });
    await running.shows(/the panel finds it by itself/);
    const { pid } = JSON.parse(await readFile(join(home, ".local/share/aside/companion.json"), "utf8"));
    process.kill(pid, "SIGSTOP");
    // Longer than an answer of this computer may take.
    const goesOn = setTimeout(5_000).then(() => process.kill(pid, "SIGCONT"));
    const [quit] = await Promise.all([aside(["companion", "--quit"], { env }), goesOn]);
    expect(quit).toMatchObject({ code: 0, stdout: "Ended.\n" });
    expect((await running.ended).code).toBe(0);
  });

  test.each(["n", "", "what?"])("asks about data, which stays unless the answer is yes: %j", async (answer) => {
    const { folder, env } = await userWithData();
    const asked = await aside(["companion", "--remove"], { env, shell: atTerminal(answer) });
    expect(asked.stdout).toContain("Delete your films, results, settings and keys of providers too?");
    expect(await isThere(join(folder, "server/film"))).toBe(true);
  });

  thoroughTest("deletes data where the answer is yes, on other disks too, and nothing of anybody else", async () => {
    for (const shell of [atTerminal("y"), undefined]) {
      const { folder, place, env } = await userWithData();
      const args = ["companion", "--remove", ...(shell === undefined ? ["--with-data"] : [])];
      const removed = await aside(args, { env, ...(shell === undefined ? {} : { shell }) });
      expect(removed.stdout).toContain("Films, results, settings and keys are gone.");
      expect(await isThere(folder)).toBe(false);
      expect(await readdir(place)).toEqual(["of somebody else"]);
    }
  });

  thoroughTest("deletes no data that something has open", async () => {
    const { folder, env } = await userWithData();
    const serving = startAside(["serve", "--port", "0"], { env });
    await serving.shows(/listens on/);
    const refused = await aside(["companion", "--remove", "--with-data"], { env });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("data_folder_in_use") });
    expect(await isThere(join(folder, "server/film"))).toBe(true);
    expect(await isThere(join(folder, "settings.json"))).toBe(true);
  });

  test("is about one's own data alone", async () => {
    for (const args of [["--with-data"], ["--remove", "--data", "/srv/aside"]]) {
      expect((await asideHere(["companion", ...args])).code).toBe(2);
    }
  });
});
