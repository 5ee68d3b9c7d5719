import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { FORMATS, OFFICE, WRITABLE_FORMATS } from "../../../src/formats/index.ts";
import { parseOtio } from "../../../src/formats/otio/read-otio.ts";
import { corpusBytes } from "../../corpus/corpus-files.ts";
import { sharedCorpora } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { asideHere } from "../run-aside.ts";

const VTT = "WEBVTT\n\nNOTE checked\n\n00:01.000 --> 00:02.000\nA woman sits.\n";

async function given(name: string, content: string | Uint8Array = VTT) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, name), content);
  return { from: join(folder, name), to: (out: string) => join(folder, out) };
}

test("writes the other format, says what was read and what is lost", async () => {
  const { from, to } = await given("in.vtt");
  const { code, stdout, stderr } = await asideHere(["convert", from, to("out.srt")]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "Lost: 1 notes are not kept\n" });
  expect(stdout).toBe(`1 cues: in.vtt (vtt) to ${to("out.srt")} (srt)\n`);
  expect(await readFile(to("out.srt"), "utf8")).toBe("1\n00:00:01,000 --> 00:00:02,000\nA woman sits.\n");
});

test.each(["docx", "xlsx"])("writes a script for Word or Excel and reads it again: %s", async (format) => {
  const { from, to } = await given("Ferry.vtt");
  const { code, stdout } = await asideHere(["convert", from, to(`out.${format}`)]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `1 cues: Ferry.vtt (vtt) to ${to(`out.${format}`)} (${format})\n`,
  });
  const back = await asideHere(["convert", to(`out.${format}`), "-", "--to", "srt"]);
  expect(back.stdout).toBe("1\n00:00:01,000 --> 00:00:02,000\nA woman sits.\n");
  const refused = await asideHere(["convert", from, "-", "--to", format]);
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 2,
    stderr: `aside: ${format} is no text: name a file for <out>. (usage)\n`,
  });
});

test("writes frames at the given rate and start, drop-frame", async () => {
  const { from, to } = await given("in.vtt");
  const { stdout } = await asideHere(["convert", from, to("out.edl"), "--rate", "29.97df", "--start", "01:00:00:00"]);
  expect(stdout).toContain("29.97 DF from 01:00:00;00");
  expect(await readFile(to("out.edl"), "utf8")).toContain("01:00:01;00 01:00:02;00");
});

test("reads frames at the given rate, and any encoding", async () => {
  const edl =
    "TITLE: x\nFCM: NON-DROP FRAME\n001  AX  V  C  01:00:01:12 01:00:02:00 01:00:01:12 01:00:02:00\n* COMMENT: Une femme entre dans un café désert.\n";
  const { from, to } = await given(
    "in.edl",
    Uint8Array.from(edl, (character) => character.charCodeAt(0)),
  );
  const args = ["convert", from, to("out.vtt"), "--rate", "25", "--start", "01:00:00:00", "--json"];
  const { code, stdout } = await asideHere(args);
  const report = JSON.parse(stdout);
  expect({ code, cues: report.cues, from: report.from }).toEqual({ code: 0, cues: 1, from: "edl" });
  expect(report.issues.map((issue: { code: string }) => issue.code)).toEqual(["encoding"]);
  expect(await readFile(to("out.vtt"), "utf8")).toContain(
    "00:00:01.480 --> 00:00:02.000\nUne femme entre dans un café désert.",
  );
});

test("a timeline brings its own rate; a timeline to a timeline keeps its clips", async () => {
  const { to } = await given("unused.vtt");
  const first = await asideHere(["convert", sharedCorpora("xml/fcp7/premiere_example.xml"), to("out.otio")]);
  expect(first.code).toBe(0);
  expect(await readFile(to("out.otio"), "utf8")).toContain("sc01_sh010_anim.mov");
  const second = await asideHere(["convert", to("out.otio"), "-", "--to", "edl"]);
  expect(second.stdout).toContain("00:00:03:23");
});

test("a rate and a start that a person gives count, whatever the file says", async () => {
  const { to } = await given("unused.vtt");
  await asideHere(["convert", sharedCorpora("xml/fcp7/premiere_example.xml"), to("out.otio")]);
  const { stdout } = await asideHere([
    "convert",
    to("out.otio"),
    to("two.otio"),
    "--rate",
    "25",
    "--start",
    "02:00:00:00",
  ]);
  expect(stdout).toContain("25 from 02:00:00:00");
  const { timeline } = parseOtio(await readFile(to("two.otio"), "utf8"));
  expect(timeline).toMatchObject({ rate: frameRate(25), startFrame: 2 * 3600 * 25 });
  const edl = "TITLE: x\n001  AX  V  C  01:00:01:12 01:00:02:00 01:00:01:12 01:00:02:00\n* COMMENT: Rain.\n";
  await writeFile(to("hour.edl"), edl);
  const read = async (...more: string[]) => {
    await asideHere(["convert", to("hour.edl"), to("hour.vtt"), "--rate", "25", "--force", ...more]);
    return readFile(to("hour.vtt"), "utf8");
  };
  expect(await read()).toContain("00:00:01.480 --> 00:00:02.000");
  expect(await read("--start", "00:00:00:00")).toContain("01:00:01.480 --> 01:00:02.000");
  // A delivery counts at the rate that was given as well.
  await asideHere(["deliver", to("out.otio"), "--out", to("delivery"), "--rate", "25"]);
  const manifest = JSON.parse(await readFile(to("delivery/manifest.json"), "utf8"));
  expect(manifest.frame_rate).toBe("25/1");
});

test.each([
  [["convert"], /needs two files/],
  [["convert", "a.vtt", "b.xyz"], /does not say its format/],
  [["convert", "a.vtt", "b.srt", "--rate", "fast"], /no frame rate/],
  [["convert", "a.vtt", "b.srt", "--start", "01:00:00:00"], /needs --rate/],
  [["convert", "a.vtt", "b.srt", "--rate", "29.97df", "--start", "00:01:00:00"], /drop-frame skips/],
  [["convert", "a.vtt", "b.srt", "--from", "xyz"], /no format "xyz"/],
])("%j is a mistake of use", async (args, message) => {
  const { code, stderr } = await asideHere(args);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test("says that frames need a rate, and writes nothing", async () => {
  const { from, to } = await given("in.vtt");
  const { code, stderr } = await asideHere(["convert", from, to("out.edl")]);
  expect(code).toBe(2);
  expect(stderr).toContain("Give --rate");
});

test("refuses to overwrite without leave, and to write what holds no cue", async () => {
  const { from, to } = await given("in.vtt");
  await writeFile(to("out.srt"), "mine");
  const refused = await asideHere(["convert", from, to("out.srt")]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("file_in_the_way") });
  expect(await readFile(to("out.srt"), "utf8")).toBe("mine");
  expect((await asideHere(["convert", from, to("out.srt"), "--force"])).code).toBe(0);
  const empty = await given("empty.srt", "nothing here");
  expect(await asideHere(["convert", empty.from, empty.to("x.vtt")])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("file_unreadable"),
  });
});

const CZECH = "exchange/encodings/made-cs-windows-1250.srt";

test("says which encoding was assumed of a file, takes the one that is named, and refuses what it cannot tell", async () => {
  const { from: path } = await given("czech.srt", corpusBytes(CZECH));
  const guessed = await asideHere(["convert", path, "-", "--to", "srt"]);
  expect(guessed.stderr).toContain("windows-1250 was assumed");
  expect(guessed.stdout).toContain("\u017dena v \u010derven\u00e9m kab\u00e1t\u011b");
  const named = await asideHere(["convert", path, "-", "--to", "srt", "--encoding", "cp1250"]);
  expect(named).toMatchObject({ code: 0, stdout: guessed.stdout, stderr: expect.not.stringContaining("assumed") });
  await writeFile(path, Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nCaf\xe9\n", "latin1"));
  const refused = await asideHere(["convert", path, "-", "--to", "srt"]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("name it with --encoding");
  expect((await asideHere(["convert", path, "-", "--to", "srt", "--encoding", "latin1"])).stdout).toContain(
    "Caf\u00e9",
  );
});

test("every command tells of a guess: a check of cues in another encoding", async () => {
  const { from: path } = await given("czech.srt", corpusBytes(CZECH));
  const checked = await asideHere(["check", path]);
  expect(checked.stderr).toContain(
    '"czech.srt": the encoding is not stated and was inferred: windows-1250 was assumed',
  );
  expect((await asideHere(["check", path, "--encoding", "windows-1250"])).stderr).not.toContain("assumed");
});

test("a project of Premiere is refused with what to export instead", async () => {
  const { from: path } = await given("film.prproj", Uint8Array.of(0x1f, 0x8b, 8, 0));
  const refused = await asideHere(["convert", path, "-", "--to", "srt"]);
  expect(refused.stderr).toContain("File > Export > Final Cut Pro XML");
});

test("every ending and every format without one is in the help, with those that are only read apart", async () => {
  const { stdout } = await asideHere(["convert", "--help"]);
  const [, written = "", read = "", named = ""] =
    /Read and written:\n(.*)\n+Read:\n(.*)\n+By name alone:\n([\s\S]*?)\n\n/.exec(stdout.replaceAll(/\n {4,}/g, " ")) ??
    [];
  for (const [name, { endings, title }] of Object.entries({ ...FORMATS, ...OFFICE })) {
    const isWritten = name in OFFICE || WRITABLE_FORMATS.some((one) => one === name);
    for (const ending of endings)
      expect([name, (isWritten ? written : read).split(" ")]).toEqual([name, expect.arrayContaining([`.${ending}`])]);
    if (endings.length === 0) expect(named).toContain(`${name} (${title})`);
  }
});

test("everything that was assumed, left out or lost is told, a line each", async () => {
  const { from, to } = await given(
    "in.vtt",
    `${VTT}\nNOTE again\n\n00:0x --> nothing\n\n00:05.000 --> 00:04.000\n<b>Back</b>.\n`,
  );
  const { code, stderr } = await asideHere(["convert", from, to("out.srt")]);
  const report = JSON.parse((await asideHere(["convert", from, to("two.srt"), "--json"])).stdout);
  expect(code).toBe(0);
  const lines = stderr.trimEnd().split("\n");
  expect(report.issues.length).toBeGreaterThan(1);
  expect(report.losses.length).toBeGreaterThan(1);
  for (const { message } of report.issues) expect(stderr).toContain(message);
  expect(lines.filter((line) => line.startsWith("Lost: "))).toHaveLength(report.losses.length);
});

test("what was read of a table is told, each thing of it; of a text without a cue every line that cannot be read", async () => {
  const table = "Start;End;Text;Note\n00:00:01:00;00:00:02:00;A woman sits.;x\n00:00:03:00;00:00:04:00;She reads.;y\n";
  const { from, to } = await given("in.csv", table);
  expect((await asideHere(["convert", from, to("out.vtt"), "--rate", "25"])).stderr.trimEnd().split("\n")).toEqual([
    '2 descriptions from the column "Text"',
    "zero is 00:00:00:00 (the film's timecode)",
    'left out: 2 cells of the column "Note"',
    'Lost: 2 cells of the column "Note" are not kept',
  ]);
  const empty = await given("in.vtt", "WEBVTT\n\n00:0x --> nothing\nx\n\n00:0y --> nothing\ny\n");
  const { code, stderr } = await asideHere(["convert", empty.from, empty.to("out.srt")]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^line 3: .*\nline 6: .*\n/m)]);
});
