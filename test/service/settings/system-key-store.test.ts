import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemKeyStore } from "../../../src/service/settings/system-key-store.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** A module in place of our own that does something with each request. */
async function moduleThat(code: string): Promise<string> {
  const path = join(await temporaryFolder(), "module.mjs");
  await writeFile(path, `process.on("message", (request) => { ${code} });`);
  return path;
}

describe("the process that asks the system's key store", () => {
  test.each([
    ["hangs", "while (true);", "slow"],
    ["dies", "process.exit(3)", "refused"],
    ["answers nothing", "process.disconnect()", "refused"],
    ["is refused", 'process.send({ fault: "locked" }, () => process.exit(0))', "locked"],
  ])("which %s ends with a fault", async (_what, code, fault) => {
    const answerMs = fault === "slow" ? 500 : 60_000;
    const store = systemKeyStore({ environment: {}, module: await moduleThat(code), answerMs });
    // Whatever it was asked for.
    await Promise.all([
      expect(store.read("describer-1")).rejects.toMatchObject({ code: fault }),
      expect(store.write("describer-1", "sk-1")).rejects.toMatchObject({ code: fault }),
      expect(store.remove("describer-1")).rejects.toMatchObject({ code: fault }),
    ]);
  });

  test("which has answered is waited for by no clock, so that whoever asked may end", async () => {
    const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
    const left = new Set<unknown>();
    globalThis.setTimeout = ((act: () => void, milliseconds: number) => {
      const timer = real.setTimeout(act, milliseconds);
      if (milliseconds === 87_654) left.add(timer);
      return timer;
    }) as typeof setTimeout;
    globalThis.clearTimeout = (timer) => {
      left.delete(timer);
      real.clearTimeout(timer);
    };
    try {
      const module = await moduleThat('process.send({ secret: "sk-1" }, () => process.exit(0))');
      const store = systemKeyStore({ environment: {}, module, answerMs: 87_654 });
      expect([await store.read("describer-1"), left.size]).toEqual(["sk-1", 0]);
    } finally {
      Object.assign(globalThis, real);
    }
  });

  test("is told what it needs over its channel, and no key of the environment", async () => {
    const told = "{ secret: JSON.stringify([request, process.argv.slice(2), process.env]) }";
    const module = await moduleThat(`process.send(${told}, () => process.exit(0))`);
    const environment = { HOME: "/home/me", DBUS_SESSION_BUS_ADDRESS: "unix:x", ASIDE_VISION_KEY: "sk-env" };
    const store = systemKeyStore({ environment, module });
    const [request, args, env] = JSON.parse((await store.read("describer-1")) ?? "");
    expect([request, args]).toEqual([{ action: "read", name: "describer-1" }, []]);
    expect(env).toMatchObject({ HOME: "/home/me", DBUS_SESSION_BUS_ADDRESS: "unix:x" });
    expect(JSON.stringify(env)).not.toContain("sk-env");
  });

  test.skipIf(process.platform !== "linux")("finds no store where there is no session", async () => {
    for (const environment of [{}, { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere/bus" }]) {
      await expect(systemKeyStore({ environment }).write("describer-1", "sk-1")).rejects.toMatchObject({
        code: "absent",
      });
    }
  });
});
