import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectAdministration, removeChannel } from "../../../src/service/admin/admin-channel.ts";
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
  await removeChannel(path);
  await expect(stat(folder)).rejects.toMatchObject({ code: "ENOENT" });
  server.close();
});
