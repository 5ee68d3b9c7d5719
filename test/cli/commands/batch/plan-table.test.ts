import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedMedia } from "../../../shared-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { asideHere } from "../../run-aside.ts";

test("a batch that is only looked at shows every row with all of its options, what it takes, and why one cannot be made", async () => {
  const folder = await temporaryFolder();
  const film = sharedMedia("containers/sintel-5s.mp4");
  const plan = join(folder, "plan.json");
  const rows = [
    { media: film, language: "de-DE", voice: "Kore" },
    { media: film, language: "fr-FR", voice: "Puck" },
    { media: "gone.mp4", language: "de-DE" },
  ];
  await writeFile(plan, JSON.stringify(rows));
  const { code, stdout } = await asideHere(["batch", plan, "--out", join(folder, "out"), "--dry-run"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/waiting +0\.\d\d +0\.00 +--language de-DE --voice Kore/);
  expect(stdout).toMatch(/waiting +0\.\d\d +0\.00 +--language fr-FR --voice Puck/);
  expect(stdout).toMatch(/gone\.mp4.*cannot.*gone\.mp4/);
  expect(stdout).toContain("2 to describe, 0.2 minutes in all; 1 cannot be made. No credits.");
});
