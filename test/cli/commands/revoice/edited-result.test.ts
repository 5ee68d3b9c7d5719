import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OutFolder } from "../../../../src/cli/out-folder/out-folder.ts";
import { readCues } from "../../../../src/formats/index.ts";
import { json } from "../../../fakes/hosted-server.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { runsLeftIn } from "../../out-folder/runs-left.ts";
import { asideHere } from "../../run-aside.ts";
import { copiesOfResult, WORDS } from "./copied-result.ts";

// A result that was described once; each test works in a copy of it. Several lines are changed each time.

/** Words that no pause of the result has room for. */
const long = (who: string) => `${who} sits at a desk by the window and waits for somebody who has not come for years.`;

const edited = copiesOfResult();

test("describing leaves nothing of the run beside its result", async () => {
  const { out, read, soundsOn } = await edited();
  expect(await runsLeftIn(out)).toEqual([]);
  expect(readCues(await read("cues.vtt")).cues.map(({ text }) => text)).toEqual(WORDS);
  for (const name of ["timeline.otio", "timeline.xml"]) {
    expect(await soundsOn(name)).toEqual([expect.stringMatching(/\/narration\.wav$/)]);
  }
});

test("every line that was changed is asked for, and stands in every file of the result", async () => {
  const { out, read, revoice, soundsOn, server } = await edited({
    "A woman sits.": "A man sits.",
    "It rains.": "It snows.",
  });
  const dry = await revoice("--dry-run");
  expect(dry.report.stale.map(({ text }: { text: string }) => text)).toEqual(["A man sits.", "It snows."]);
  expect(server.bodies("generateAudio")).toEqual([]);
  const { code, stderr, report } = await revoice();
  expect(code, stderr).toBe(0);
  expect(report.stale).toHaveLength(2);
  // The folder is a copy, and its timelines played the narration of the first.
  for (const name of ["timeline.otio", "timeline.xml"]) {
    expect(report.notices).toContainEqual(expect.stringContaining(`"${name}" played a narration from another folder.`));
  }
  const [order] = server.bodies("generateAudio");
  for (const text of ["A man sits.", "It snows."]) expect(JSON.stringify(order)).toContain(text);
  for (const name of ["cues.vtt", "cues.srt"]) {
    expect(readCues(await read(name)).cues.map(({ text }) => text)).toEqual(["A man sits.", "She reads.", "It snows."]);
  }
  for (const name of ["timeline.otio", "timeline.xml"]) {
    expect(await read(name)).toMatch(/A man sits\.[\s\S]*It snows\./);
    expect(await soundsOn(name)).toEqual(["narration.wav"]);
  }
  expect(await runsLeftIn(out)).toEqual([]);
  expect((await revoice("--dry-run")).report.stale).toEqual([]);
  const again = (await revoice("--voice", "Puck")).report;
  expect(again.stale).toHaveLength(3);
  expect(again.notices.join(" ")).not.toContain("another folder");
});

test("a narration is cut into clips without asking anybody, each at its final place in both timelines, and joined again", async () => {
  const { out, revoice, soundsOn, server } = await edited();
  expect(await revoice("--clips")).toMatchObject({ code: 0 });
  const clips = await soundsOn("timeline.otio");
  expect(clips).toHaveLength(3);
  expect(clips.every((clip) => clip.startsWith("clips/"))).toBe(true);
  expect(await soundsOn("timeline.xml")).toEqual(clips);
  expect(await runsLeftIn(out)).toEqual([]);
  expect(await revoice("--stem")).toMatchObject({ code: 0 });
  for (const name of ["timeline.otio", "timeline.xml"]) expect(await soundsOn(name)).toEqual(["narration.wav"]);
  expect(server.bodies("generateAudio")).toEqual([]);
});

test("recordings of several lines are heard, and stay those lines' sound when others are voiced", async () => {
  const { folder, read, revoice, server } = await edited();
  const ids = readCues(await read("cues.vtt")).cues.map(({ id }) => id);
  const recordings = join(folder, "recordings");
  await mkdir(recordings);
  for (const id of ids.slice(0, 2)) await writeFile(join(recordings, `${id}.wav`), silentWav(0.5));
  const recorded = await revoice("--recordings", recordings);
  expect(recorded.code, recorded.stderr).toBe(0);
  expect(recorded.report.stale.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
  expect(server.bodies("generateAudio")).toEqual([]);
  const timeline = await read("timeline.otio");
  await writeFile(join(folder, "out", "timeline.otio"), timeline.replaceAll("It rains.", "It snows."));
  server.vtt = "WEBVTT\n\n00:04.000 --> 00:04.800\nIt snows.\n";
  const voiced = await revoice();
  expect(voiced.code, voiced.stderr).toBe(0);
  expect(voiced.report.stale.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
  const [order] = server.bodies("generateAudio");
  expect(JSON.stringify(order)).toContain("It snows.");
  expect(JSON.stringify(order)).not.toMatch(/A woman sits|She reads/);
});

test("of what can be done about a line that is too long, the one that was chosen is taken, wherever it stands in the list", async () => {
  const { revoice } = await edited({ "A woman sits.": long("A woman") });
  const [asked] = (await revoice("--dry-run")).report.too_long;
  const possible = asked.remedies.filter(({ possible }: { possible: boolean }) => possible);
  expect(possible.length).toBeGreaterThan(0);
  for (const { kind } of possible) {
    expect((await revoice("--dry-run", "--fit", kind)).report.too_long).toMatchObject([{ taken: kind }]);
  }
});

test("several lines that became too long are each listed with the gap and what they need, in whatever voice of the catalogue", async () => {
  const { revoice } = await edited({ "A woman sits.": long("A woman"), "It rains.": long("A man") });
  for (const voice of ["Kore", "Puck"]) {
    const { code, report } = await revoice("--dry-run", "--voice", voice);
    expect([code, report.too_long.length]).toEqual([0, 2]);
    for (const { needed_seconds, gap_seconds } of report.too_long) expect(needed_seconds).toBeGreaterThan(gap_seconds);
  }
});

test("is told line by line: why each is stale, what each needs, every way out, and every note", async () => {
  const { out, address, env } = await edited({
    "A woman sits.": long("A woman"),
    "It rains.": long("A man"),
  });
  const run = (...options: readonly string[]) => asideHere(["revoice", out, "--server", address, ...options], env);
  const { code, stdout, stderr } = await run("--dry-run", "--fit", "duck", "--voice", "Puck");
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/cue-0001 +\S.*; .*A woman sits at a desk/);
  expect(stdout).toMatch(/cue-0003 +\S.*; .*A man sits at a desk/);
  for (const id of ["cue-0001", "cue-0003"]) {
    const ways = new RegExp(`^${id} needs \\d+\\.\\d s, and its gap has \\d+\\.\\d s:((?:\\n {2}[+-] \\w+ .*)+)`, "m");
    expect(ways.exec(stdout)?.[1]?.trim().split("\n")).toHaveLength(5);
  }
  expect(stdout).toMatch(
    /Notes\n {2}Read from the timeline: .*\n(?: {2}.*\n)* {2}--fit duck does not help cue-0001, cue-0003\./,
  );
  expect(stdout).toContain("3 to voice. Nothing was changed.");
});

test("what the service told when it described stays in the report where no voice is asked", async () => {
  const { out, read, revoice } = await edited();
  const report = JSON.parse(await read("report.json"));
  await writeFile(join(out, "report.json"), JSON.stringify({ ...report, service_report: { describer: "a model" } }));
  expect((await revoice("--clips", "--force")).code).toBe(0);
  expect(JSON.parse(await read("report.json")).service_report).toEqual({ describer: "a model" });
});

test("what a service refused leaves the result as it was, and no run; the same command works afterwards", async () => {
  const { out, folder, read, revoice, server } = await edited({ "It rains.": "It snows." });
  const before = await Promise.all(["cues.vtt", "record.txt", "report.json"].map(read));
  const refusal = json({ error: "invalid_input", message: "no" }, 400);
  server.faults.generateAudio = [refusal, refusal, refusal];
  expect((await revoice()).code).toBe(1);
  expect(await Promise.all(["cues.vtt", "record.txt", "report.json"].map(read))).toEqual(before);
  expect(await runsLeftIn(out)).toEqual([]);
  const free = await OutFolder.open(join(folder, "out"), false);
  await free.close();
  server.faults.generateAudio = [];
  const { code, stderr } = await revoice();
  expect(code, stderr).toBe(0);
  expect(await runsLeftIn(out)).toEqual([]);
});

test("the page to write on stays with the result while nobody has changed it, and what somebody changed stays theirs", async () => {
  const { folder, read, revoice, server } = await edited();
  server.worksheet = "<p>To write</p>";
  const worksheet = join(folder, "out", "worksheet.html");
  const first = await OutFolder.open(join(folder, "out"), false);
  const run = await first.runFolder("r");
  await writeFile(join(run, "worksheet.html"), "<p>To write</p>");
  const names = (await readdir(join(folder, "out"))).filter((name) => !name.startsWith("."));
  for (const name of names) await cp(join(folder, "out", name), join(run, name));
  await first.deliver(run, [...names, "worksheet.html"]);
  await first.discard("r");
  await first.close();
  expect((await revoice("--clips")).code).toBe(0);
  expect(await read("worksheet.html")).toBe("<p>To write</p>");
  await writeFile(worksheet, "mine");
  expect((await revoice("--stem")).code).toBe(0);
  expect(await read("worksheet.html")).toBe("mine");
});
