import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPairingFile } from "../../../../src/cli/commands/companion/page-opener.ts";
import { pairingPath } from "../../../../src/contract/pairing.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { startAside } from "../../run-aside.ts";

test.skipIf(process.platform !== "linux")("a companion and its page say that a newer version is there", async () => {
  const [data, home] = [await temporaryFolder(), await temporaryFolder()];
  await writeFile(join(data, "notice.json"), '{"version": "99.0.0"}');
  await writeFile(join(data, "aside.json"), JSON.stringify({ new_version_at: join(data, "notice.json") }));
  const companion = startAside(["companion", "--no-page", "--data", data], { env: { HOME: home } });
  await companion.shows(/^aside 99\.0\.0 is there\./m);
  await companion.shows(/the panel finds it by itself/);
  const { address, key } = (await readPairingFile(pairingPath(home, "linux"))) ?? { address: "", key: "" };
  const reply = await fetch(new URL("/home/desk/state", address), { headers: { "x-api-key": key } });
  expect(await reply.json()).toMatchObject({ new_version: "99.0.0" });
});
