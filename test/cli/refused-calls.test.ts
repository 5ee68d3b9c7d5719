import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { asideHere } from "./run-aside.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
  const cues = "WEBVTT\n\n00:01.000 --> 00:02.000\nA door.\n";
  await Promise.all([
    writeFile(join(folder, "cues.vtt"), cues),
    writeFile(join(folder, "names.json"), '{"name": "Kim"}'),
    writeFile(join(folder, "broken.json"), "["),
    writeFile(join(folder, "wrong.json"), '[{"name": "Kim", "from": "soon"}]'),
  ]);
});

/** Files that are there. */
const GIVEN = new Set(["cues.vtt", "names.json", "broken.json", "wrong.json"]);

// Commands that take nothing beside their options.
const NOTHING_MORE = ["companion", "doctor", "page", "serve", "verify", "voices", "worker"];

test.each<readonly [call: string, sentence: string]>([
  ...NOTHING_MORE.map((name) => [`${name} film.mp4`, `aside ${name} takes no "film.mp4"`] as const),
  ["backup", "aside backup needs the folder of the backup"],
  ["backup one two", 'aside backup takes one folder, not "two" beside it'],
  ["restore", "aside restore needs the folder of the backup"],
  ["restore one two", 'aside restore takes one folder, not "two" beside it'],
  ["batch", "batch needs a plan or media: aside batch plan.csv --out DIR."],
  ["check", 'check needs cues, or a sound with --mix. See "aside check --help".'],
  ["check cues.vtt more.vtt", 'check takes one file of cues. See "aside check --help".'],
  ["check cues.vtt --picture", "--picture needs --media"],
  ["check cues.vtt --names names.json", '--names names.json: give [{"name": "Kim", "from": 61.5}]'],
  ["check cues.vtt --names broken.json", '--names broken.json: give [{"name": "Kim", "from": 61.5}]'],
  ["check cues.vtt --names wrong.json", '--names wrong.json: give [{"name": "Kim", "from": 61.5}]'],
  ["check cues.vtt --encoding klingon", '--encoding: there is no "klingon". Give one such as utf-8,'],
  ["companion --at-login maybe", '--at-login must be on or off, not "maybe"'],
  ["companion --with-data", "--with-data belongs to --remove"],
  ["companion --remove --data folder", "--remove is about your own data, not that of --data"],
  ["conform a.otio b.otio", "conform needs three files: aside conform <placed> <recut> <out>."],
  ["conform a.otio b.otio c.otio d.otio", "conform needs three files"],
  ["conform a.otio b.otio c.edl", "the name of <out> must end in .otio or .xml"],
  ["convert cues.vtt", "convert needs two files: aside convert <in> <out>."],
  ["convert cues.vtt out.srt --from klingon", '--from: there is no format "klingon"'],
  ["convert cues.vtt out.klingon", "the name of <out> does not say its format. Give one of"],
  ["convert cues.vtt out.srt --to klingon", '--to: "klingon" is no format that can be written. Give one of'],
  ["convert cues.vtt out.srt --start 10:00:00:00", "--start is a label of frames and needs --rate"],
  ["deliver cues.vtt --media a.mp4 --out d --file-name a/b", "--file-name: "],
  [
    "deliver cues.vtt --media a.mp4 --out d --file-name {reference}-{kind}.{ending}",
    "--reference: there is no number for",
  ],
  ["gaps", 'See "aside gaps --help"'],
  ["gaps a.mp4 b.mp4", 'gaps takes one file. See "aside gaps --help".'],
  ["jobs purge", "say how old jobs must be to be forgotten: aside jobs purge --days 90"],
  ["jobs list --server http://127.0.0.1:1", "--server goes with watch ID and cancel ID"],
  ["page --days 3", "--days belongs to --review"],
  ["page --url ftp://here", "--url must be an http or https address"],
])("aside %s is refused as a mistake in the call", async (call, sentence) => {
  const words = call.split(" ").map((word) => (GIVEN.has(word) ? join(folder, word) : word));
  const { code, stdout, stderr } = await asideHere(words, { ASIDE_API_KEY: "k" });
  expect(stderr).toContain(sentence);
  expect([code, stdout]).toEqual([2, ""]);
});
