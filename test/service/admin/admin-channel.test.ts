import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  askToStop,
  connectAdministration,
  removeChannel,
  serveAdministration,
} from "../../../src/service/admin/admin-channel.ts";
import { type Administration, AdministrationError } from "../../../src/service/admin/administration.ts";
import { unawaitedChanges } from "../../fakes/slow-disk.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** Files of somebody, and paths in a `service.json` that lead to them. */
async function prey() {
  const folder = await temporaryFolder();
  const names = ["aside-admin-abcdef", "aside-admin-abcdefg", "other"];
  for (const name of names) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "socket"), "somebody's");
    await writeFile(join(folder, name, "kept"), "somebody's");
  }
  await symlink(join(folder, "other"), join(folder, "aside-admin-linked"));
  await mkdir(join(tmpdir(), "aside-admin-x"), { recursive: true });
  const paths = [
    ...names.map((name) => join(folder, name, "socket")),
    join(folder, "other", "kept"),
    join(folder, "aside-admin-linked", "socket"),
    `${tmpdir()}/aside-admin-x/../../${folder.split("/").at(-1)}/other/socket`,
    "aside-admin-abcdef/socket",
    "",
    "/",
  ];
  return { folder, paths };
}

test("whatever a service.json names, only a channel of the service's own is removed", async () => {
  const { folder, paths } = await prey();
  const before = (await readdir(folder, { recursive: true })).sort();
  for (const path of paths) await removeChannel(path);
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(before);
  await rm(join(tmpdir(), "aside-admin-x"), { recursive: true });
});

test("nothing is sent to a path that is no channel's", async () => {
  const folder = await temporaryFolder();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const path = join(folder, "docker.sock");
  server.listen(path);
  await once(server, "listening");
  await expect(connectAdministration(path).listKeys()).rejects.toMatchObject({ code: "administration_failed" });
  expect(connections).toBe(0);
  server.close();
});

test("what a killed service left of its channel goes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "aside-admin-"));
  const path = join(folder, "socket");
  const server = createServer();
  server.listen(path);
  await once(server, "listening");
  expect(await unawaitedChanges(folder, () => removeChannel(path))).toEqual([]);
  await expect(stat(folder)).rejects.toMatchObject({ code: "ENOENT" });
  server.close();
});

describe("a channel", () => {
  /** A channel to commands that a test writes. */
  async function channelTo(commands: Partial<Administration>, onStop?: () => void) {
    const channel = await serveAdministration(commands as Administration, onStop);
    return { ...channel, there: connectAdministration(channel.path) };
  }

  test("carries each command by its name, with all that it is given, and its answer back", async () => {
    const given: unknown[] = [];
    const { there, close } = await channelTo({
      changeSettings: async (...values) => {
        given.push(...values);
        return { voice: { source: "file" } } as never;
      },
      purgeJobs: async (days) => days + 1,
      listKeys: async () => [],
    });
    const change = { voice: { natural: "off" } };
    expect(await there.changeSettings(change, { isAddition: true })).toEqual({ voice: { source: "file" } });
    expect(given).toEqual([change, { isAddition: true }]);
    expect([await there.purgeJobs(3), await there.listKeys()]).toEqual([4, []]);
    await close();
  });

  test("tells what we refuse in its sentence, and of what fails otherwise nothing", async () => {
    const { there, close } = await channelTo({
      retryJob: () => Promise.reject(new AdministrationError("Its media is gone.")),
      showJob: () => Promise.reject(new Error("SELECT secret")),
    });
    await expect(there.retryJob("a")).rejects.toMatchObject({
      code: "administration_failed",
      message: "Its media is gone.",
    });
    await expect(there.showJob("a")).rejects.toThrow("The service could not carry out the command.");
    await close();
  });

  test("takes commands of a megabyte, and no longer ones", async () => {
    const { there, close } = await channelTo({ showJob: async (id) => ({ id }) as never });
    // {"command":"showJob","values":["…"]}
    const longest = 16 * 65_536 - JSON.stringify({ command: "showJob", values: [""] }).length;
    // The answer is as long as a command may be, too: {"result":{"id":"…"}} is shorter.
    expect((await there.showJob("x".repeat(longest)))?.id).toHaveLength(longest);
    await expect(there.showJob("x".repeat(longest + 1))).rejects.toThrow("The message is too long.");
    await close();
  });

  test("asks the process to end, once that is answered, and where it is not to be ended so, says so", async () => {
    let stopped = 0;
    const ending = await channelTo({}, () => {
      stopped++;
    });
    await askToStop(ending.path);
    await expect.poll(() => stopped).toBe(1);
    await ending.close();
    const staying = await channelTo({});
    await expect(askToStop(staying.path)).rejects.toThrow("There is no such command.");
    await staying.close();
  });

  test("is gone with its folder once it is closed, and whoever asks then is told", async () => {
    const { path, there, close } = await channelTo({ listKeys: async () => [] });
    await there.listKeys();
    await close();
    await expect(stat(dirname(path))).rejects.toMatchObject({ code: "ENOENT" });
    await expect(there.listKeys()).rejects.toMatchObject({ code: "administration_failed" });
  });
});
