import { execFile } from "node:child_process";
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { neededProgram, wholePath } from "../../../src/engine/isolate/programs.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const KEYRING = "/usr/bin/gnome-keyring-daemon";
const hasKeyring = await access(KEYRING).then(
  () => true,
  () => false,
);

/** In a session of its own with a keyring of its own: what a module prints that uses the store. */
async function inSession(unlock: string, code: string): Promise<unknown> {
  const home = await temporaryFolder();
  const module = join(home, "use.ts");
  const store = new URL("../../../src/service/settings/system-key-store.ts", import.meta.url).href;
  await writeFile(
    module,
    `import { systemKeyStore } from ${JSON.stringify(store)};
     const store = systemKeyStore({ environment: process.env });
     const said = await (async () => { ${code} })().catch(({ code, message }) => [code, message]);
     process.stdout.write(JSON.stringify(said));`,
  );
  const script = `${unlock} >/dev/null; exec "$0" "$1"`;
  const { stdout } = await promisify(execFile)(
    wholePath(await neededProgram("dbus-run-session")),
    ["--", "/bin/sh", "-c", script, process.execPath, module],
    { env: { PATH: "/usr/bin:/bin", HOME: home, XDG_RUNTIME_DIR: home } },
  );
  return JSON.parse(stdout);
}

describe.skipIf(!hasKeyring)("GNOME's keyring", () => {
  test("keeps, gives and forgets a key", async () => {
    const code = `await store.write("describer-1", "sk-ü1");
      const kept = [await store.read("describer-1"), await store.read("describer-2")];
      await store.remove("describer-2");
      await store.remove("describer-1");
      return [...kept, await store.read("describer-1")];`;
    const unlock = `printf secret | ${KEYRING} --unlock --components=secrets`;
    expect(await inSession(unlock, code)).toEqual(["sk-ü1", null, null]);
  });

  test("that nobody unlocks is locked", async () => {
    const said = await inSession(
      `${KEYRING} --start --components=secrets`,
      `return store.write("describer-1", "sk-1");`,
    );
    expect(said).toEqual(["locked", expect.not.stringContaining("sk-1")]);
  });
});
