import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { partInForce } from "../../../src/cli/service-run/service-options.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

test("each value in force is told with where it comes from, and no password", async () => {
  const data = await temporaryFolder();
  const voice = { server: "http://me:secret@127.0.0.1:1/v1", model: "speaker" };
  await writeFile(join(data, "settings.json"), JSON.stringify({ version: 2, voice, privacy: { local_only: "on" } }));
  const given = { values: { data }, positionals: [] };
  const { sources } = await partInForce("voice", given, {});
  expect(sources).toMatch(/^Set: voice\.server=.*by aside settings, voice\.model=speaker by aside settings/);
  expect(sources).toContain("privacy.local_only=on by aside settings");
  expect(sources).not.toContain("secret");
  const nothing = await partInForce("voice", { values: { data: await temporaryFolder() }, positionals: [] }, {});
  expect(nothing.sources).toBe("Nothing is set, in aside settings or in the environment.");
});
