import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { findProgram, wholePath } from "../../../src/engine/isolate/programs.ts";
import { NUMBERS } from "../../../src/service/settings/number-settings.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { asideAlone, asideHere, startAside } from "../run-aside.ts";

const BIN = fileURLToPath(new URL("../../../bin/aside.mjs", import.meta.url));

const npm = await findProgram("npm");

const KEY = /API key \(shown this once, only its hash is kept\): (\S+)/;
const ADDRESS = /listens on (http:\S+)/;

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo; // listening on TCP, so an AddressInfo
    server.close();
    await once(server, "close");
    if (!NUMBERS.network["port"]?.except?.includes(port)) return port;
  }
}

describe("aside serve", () => {
  test("AUTH-01 AUTH-02 AUTH-05 AUTH-07: creates a key on the first start only, serves by it, and keeps only its hash: it stands in no file", async () => {
    const data = join(await temporaryFolder(), "data");
    const first = startAside(["serve", "--port", "0", "--data", data]);
    const [, key = ""] = await first.shows(KEY);
    const [, address = ""] = await first.shows(ADDRESS);
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${address}/enterprise/api/get_results?job_id=x`, { headers })).status;
    expect([await ask({ "X-API-Key": key }), await ask({ "X-API-Key": "other" }), await ask({})]).toEqual([
      404, 401, 401,
    ]);
    first.process.kill("SIGINT");
    expect((await first.ended).code).toBe(0);
    let files = 0;
    for await (const entry of glob("**", { cwd: data, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      files++;
      const bytes = await readFile(join(entry.parentPath, entry.name));
      expect(bytes.includes(key), entry.name).toBe(false);
    }
    expect(files).toBeGreaterThan(0);
    const again = startAside(["serve", "--port", "0", "--data", data]);
    await again.shows(/Stop with Ctrl-C/);
    again.process.kill("SIGTERM");
    const { stdout, stderr, code } = await again.ended;
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/API key/);
    expect(stderr).toBe("");
  });

  thoroughTest("listens on the port that is set, unless the environment or the command says another one", async () => {
    const data = join(await temporaryFolder(), "data");
    const ports = [await freePort(), await freePort(), await freePort()].map(String);
    const [set = "", variable = "", option = ""] = ports;
    await asideAlone(["settings", "set", `network.port=${set}`, "--data", data]);
    const portOf = async (env: Record<string, string>, ...more: string[]) => {
      const running = startAside(["serve", "--data", data, ...more], { env });
      const [, address = ""] = await running.shows(ADDRESS);
      running.process.kill("SIGINT");
      await running.ended;
      return new URL(address).port;
    };
    if (IS_THOROUGH) expect(await portOf({})).toBe(set);
    expect(await portOf({ ASIDE_PORT: variable })).toBe(variable);
    if (IS_THOROUGH) expect(await portOf({ ASIDE_PORT: variable }, "--port", option)).toBe(option);
    const wrong = await asideAlone(["serve", "--data", data], { ASIDE_PORT: "80" });
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining("ASIDE_PORT must be a whole number from 1024 to 65535"),
    ]);
  });

  thoroughTest("a data folder in use, and an address in use, end with their codes", async () => {
    const folder = await temporaryFolder();
    const data = join(folder, "data");
    const running = startAside(["serve", "--port", "0", "--data", data]);
    const [, address = ""] = await running.shows(ADDRESS);
    const second = await asideHere(["serve", "--port", "0", "--data", data]);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain("(data_folder_in_use)");
    const media = sharedMedia("containers/sintel-5s.mp4");
    const describing = await asideHere(["describe", media, "--data", data, "--out", join(folder, "out")]);
    expect(describing.stderr).toContain("(data_folder_in_use)");
    const { port } = new URL(address);
    const third = await asideHere(["serve", "--port", port, "--data", join(folder, "other")]);
    expect(third.code).toBe(1);
    expect(third.stderr).toContain("(address_unusable)");
  });

  test.skipIf(process.platform === "win32" || npm === null).each([
    ["SIGTERM", "; exit $?"],
    ...(IS_THOROUGH
      ? ([
          ["SIGTERM", ""],
          ["SIGKILL", ""],
        ] as const)
      : []),
  ] as const)(
    "started by npm, it ends with npm, which a supervisor's %s reaches alone; its shell command ends with %j",
    async (signal, rest) => {
      const folder = await temporaryFolder();
      const serve = `"${process.execPath}" "${BIN}" serve --port 0 --data "${join(folder, "data")}"${rest}`;
      await writeFile(join(folder, "package.json"), JSON.stringify({ scripts: { serve } }));
      const started = spawn(wholePath(npm ?? ""), ["run", "serve"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "ignore"],
      });
      onTestFinished(() => void started.kill("SIGKILL"));
      const lines = createInterface(started.stdout);
      for await (const line of lines) {
        if (!line.includes("Stop with Ctrl-C")) continue;
        started.kill(signal);
        break;
      }
      // Its end of the pipe closes with it.
      await once(started, "close");
      await expect(readFile(join(folder, "data/service.json"))).rejects.toMatchObject({ code: "ENOENT" });
    },
  );

  test("a data folder that cannot be made says so", async () => {
    const { code, stderr } = await asideHere(["serve", "--port", "0", "--data", "/dev/null/data"]);
    expect(code).toBe(1);
    expect(stderr).toContain("(data_folder_unusable)");
  });
});
