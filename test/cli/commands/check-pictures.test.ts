import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { asideHere } from "../run-aside.ts";

const FILM = sharedMedia("containers/sintel-5s.mp4");

test("a report has a picture of each description, and names every file and every name that was given", async () => {
  const folder = await temporaryFolder();
  const [cues, names, out] = [join(folder, "cues.vtt"), join(folder, "names.json"), join(folder, "report")];
  const lines = ["Kim sits.", "Bo reads.", "Kim and Bo wait."];
  const vtt = lines.map((text, index) => `${text[0]}${index}\n00:0${index}.500 --> 00:0${index + 1}.300\n${text}`);
  await writeFile(cues, `WEBVTT\n\n${vtt.join("\n\n")}\n`);
  await writeFile(names, JSON.stringify(["Kim", "Bo"].map((name) => ({ name, from: 4 }))));
  const args = ["check", cues, "--media", FILM, "--picture", "--names", names, "--out", out, "--json"];
  const { stdout, stderr } = await asideHere(args);
  expect(stdout, stderr).not.toBe("");
  const report = JSON.parse(stdout);
  expect(report.files).toEqual(["cues.vtt", "sintel-5s.mp4"]);
  const early = JSON.stringify(report.findings);
  for (const name of ["Kim", "Bo"]) expect(early).toContain(name);
  const pictures = await readdir(join(out, "pictures"));
  expect(pictures).toHaveLength(lines.length);
  const page = await readFile(join(out, "report.html"), "utf8");
  for (const picture of pictures) expect(page).toContain(`pictures/${picture}`);
});
