import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary-folder.ts";
import { asideHere } from "../run-aside.ts";

test("each finding of a check stands at the time of its own description, and in the report", async () => {
  const folder = await temporaryFolder();
  const cues = join(folder, "cues.vtt");
  const long = "A woman sits at a desk by the window and waits for somebody who has not come for years.";
  const vtt = `WEBVTT\n\na\n00:02.000 --> 00:05.000\nA rabbit wakes up.\n\nb\n00:10.000 --> 00:10.500\n${long}\n\nc\n00:20.000 --> 00:20.500\n${long}\n`;
  await writeFile(cues, vtt);
  const out = join(folder, "report");
  const { code, stdout } = await asideHere(["check", cues, "--out", out]);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^fail +pace +00:00:10:00 +b /m);
  expect(stdout).toMatch(/^fail +pace +00:00:20:00 +c /m);
  expect(stdout).toContain("3 descriptions, profile ");
  const report = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
  expect(report.verdict).toBe("fail");
  expect(await readFile(join(out, "report.html"), "utf8")).toContain("00:00:20:00");
});
