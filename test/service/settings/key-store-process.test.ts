import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemKeyStore } from "../../../src/service/settings/system-key-store.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** Our own module beside a library in place of the real one, whose answers take their time. */
async function moduleOver(library: string): Promise<string> {
  const folder = await temporaryFolder();
  const own = join(folder, "key-store-process.ts");
  await copyFile(new URL("../../../src/service/settings/key-store-process.ts", import.meta.url), own);
  const beside = join(folder, "node_modules/@napi-rs/keyring");
  await mkdir(beside, { recursive: true });
  await writeFile(join(beside, "package.json"), '{ "type": "module", "main": "index.js" }');
  const head = 'import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";';
  await writeFile(join(beside, "index.js"), `${head}\nconst file = import.meta.dirname + "/kept";\n${library}`);
  return own;
}

describe("a request to the library of the system's key stores", () => {
  test("is answered when it has been carried out", async () => {
    const later = "await new Promise((next) => setTimeout(next, 30));";
    const module = await moduleOver(`export class AsyncEntry {
      constructor(service, name) { this.file = file + "-" + service + "-" + name; }
      async getPassword() { ${later} return existsSync(this.file) ? readFileSync(this.file, "utf8") : undefined; }
      async setPassword(key) { ${later} writeFileSync(this.file, key); }
      async deletePassword() { ${later} rmSync(this.file); }
    }`);
    const store = systemKeyStore({ environment: {}, module });
    await store.write("describer-1", "sk-ü1");
    await store.write("voice-1", "sk-2");
    expect(await store.read("describer-1")).toBe("sk-ü1");
    await store.remove("describer-1");
    expect([await store.read("describer-1"), await store.read("voice-1")]).toEqual([null, "sk-2"]);
  });

  test.each([
    ["DBus error: no session", "absent"],
    ["Couldn't access platform storage: locked", "locked"],
    ["Attribute 'password' is longer than platform limit of 2560 chars", "too_long"],
    ["something else", "refused"],
  ])("that fails by the words “%s” is told to be %s", async (words, fault) => {
    const fails = `{ await null; throw new Error(${JSON.stringify(words)}); }`;
    const module = await moduleOver(`export class AsyncEntry {
      async getPassword() ${fails}
      async setPassword() ${fails}
      async deletePassword() ${fails}
    }`);
    const store = systemKeyStore({ environment: {}, module });
    await Promise.all([
      expect(store.read("describer-1")).rejects.toMatchObject({ code: fault }),
      expect(store.write("describer-1", "sk-1")).rejects.toMatchObject({ code: fault }),
      expect(store.remove("describer-1")).rejects.toMatchObject({ code: fault }),
    ]);
  });
});
