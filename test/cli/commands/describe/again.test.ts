import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DESCRIBE } from "../../../../src/cli/commands/describe/describe.ts";
import { OutFolder } from "../../../../src/cli/out-folder/out-folder.ts";
import type { RunReport } from "../../../../src/workflow/deliver/run-report.ts";
import { json } from "../../../fakes/hosted-server.ts";
import { runsLeftIn } from "../../out-folder/runs-left.ts";
import { asideHere } from "../../run-aside.ts";
import { describing, FILM } from "./describing.ts";

// Describing into the same folder, once more: after a failure, after a result, and in one process.

test("a job that failed leaves nothing to go on with, and the folder free for the next", async () => {
  const { server, out, describe } = await describing();
  server.jobEnds = ["generation_failed"];
  expect((await describe()).code).toBe(1);
  const free = await OutFolder.open(out, false);
  await free.close();
  const { code, stderr } = await describe();
  expect(code, stderr).toBe(0);
  expect(await runsLeftIn(out)).toEqual([]);
  expect((await readdir(out)).filter((name) => !name.startsWith("."))).toEqual(
    expect.arrayContaining(["cues.vtt", "narration.wav", "record.txt", "timeline.otio", "timeline.xml"]),
  );
});

test("what fails before anything was sent leaves no folder behind, and nothing in one that is there", async () => {
  const { address, out } = await describing();
  const refused = () =>
    asideHere([DESCRIBE.name, FILM, "--out", out, "--server", address], { ASIDE_API_KEY: "another" });
  expect((await refused()).code).toBe(1);
  expect(existsSync(out)).toBe(false);
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "mine.txt"), "mine");
  expect((await refused()).code).toBe(1);
  expect(await readdir(out)).toEqual(["mine.txt"]);
});

test("a request that was refused is asked again with the upload that is there, and nothing is left of it", async () => {
  const { server, out, describe } = await describing();
  server.faults.generateAudio = [json({ error: "invalid_input", message: "no" }, 400)];
  expect((await describe()).code).toBe(1);
  const { code, stderr } = await describe();
  expect(code, stderr).toBe(0);
  expect(server.seen.filter(({ route, method }) => route === "storage" && method === "PUT")).toHaveLength(1);
  expect(await runsLeftIn(out)).toEqual([]);
});

test("findings and files of a description are told one by one", async () => {
  const { server, out, describe } = await describing();
  const long = "A woman sits at a desk by the window and waits for somebody who has not come for years.";
  server.vtt = `WEBVTT\n\n00:00.500 --> 00:00.900\n${long}\n\n00:02.000 --> 00:02.400\n${long}\n`;
  const { code, stdout } = await describe();
  expect(code).toBe(0);
  const { findings, files } = JSON.parse(await readFile(join(out, "report.json"), "utf8")) as RunReport;
  expect(findings.length).toBeGreaterThan(1);
  for (const { message, cueIds } of findings) expect(stdout).toContain(`${cueIds.join(", ")}: ${message}`);
  for (const name of files) expect(stdout).toContain(join(out, name));
});

test("a second description replaces the first; of a result that somebody changed, all is kept aside", async () => {
  const { server, out, describe } = await describing();
  expect((await describe()).code).toBe(0);
  server.vtt = server.vtt.replace("A woman sits.", "A man sits.");
  expect((await describe()).code).toBe(0);
  expect(await readdir(out)).not.toContain("earlier");
  const cues = await readFile(join(out, "cues.vtt"), "utf8");
  expect(cues).toMatch(/A man sits\.[\s\S]*She reads\./);
  await writeFile(join(out, "cues.srt"), "mine");
  const { code, stdout } = await describe();
  expect(code).toBe(0);
  const [kept = ""] = await readdir(join(out, "earlier"));
  expect(stdout).toContain(`kept in "earlier/${kept}"`);
  expect(await readFile(join(out, "earlier", kept, "cues.srt"), "utf8")).toBe("mine");
  expect(await readFile(join(out, "earlier", kept, "cues.vtt"), "utf8")).toBe(cues);
  expect(await readFile(join(out, "cues.srt"), "utf8")).toContain("A man sits.");
});
