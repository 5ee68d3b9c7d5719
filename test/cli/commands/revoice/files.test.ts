import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { findRecordings } from "../../../../src/cli/commands/revoice/cue-recordings.ts";
import {
  openEditedFiles,
  openTimelineSource,
  readEditedCues,
} from "../../../../src/cli/commands/revoice/edited-files.ts";
import { OutFolder } from "../../../../src/cli/out-folder/out-folder.ts";
import { fileFingerprint } from "../../../../src/cli/source/programme.ts";
import { frameRate } from "../../../../src/core/frame-rate.ts";
import { engine, openEngine } from "../../../../src/engine/index.ts";
import { writeFcp7Xml } from "../../../../src/formats/fcp7-xml/write-fcp7-xml.ts";
import { convertCues } from "../../../../src/formats/index.ts";
import { writeOtio } from "../../../../src/formats/otio/write-otio.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { runHere } from "../../../service/tasks-here.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

// Which of a folder's files an editor worked in, and which recordings are whose: told by names and fingerprints alone.

const timeline = (name: string) =>
  madeTimeline([madeTrack("video", [madeClip(madeMedia("film.mp4"), 0, 10)])], { name });
const FILES: Readonly<Record<string, string>> = {
  "timeline.otio": writeOtio(timeline("as written")),
  "timeline.xml": writeFcp7Xml(timeline("as written")),
  "cues.vtt": "WEBVTT\n",
  "cues.srt": "1\n",
};

/** A folder of results with some files, some of which somebody has changed since. */
async function folderWith(names: readonly string[], changed: Readonly<Record<string, string>> = {}) {
  const path = await temporaryFolder();
  const first = await OutFolder.open(path, false);
  const making = await first.runFolder("r");
  for (const name of names) await writeFile(join(making, name), FILES[name] ?? "");
  await first.deliver(making, names);
  await first.discard("r");
  await first.close();
  for (const [name, text] of Object.entries(changed)) await writeFile(join(path, name), text);
  return OutFolder.open(path, false);
}

async function opened(
  names: readonly string[],
  changed: Readonly<Record<string, string>> = {},
  named: { timeline?: string; cues?: string } = {},
) {
  const folder = await folderWith(names, changed);
  try {
    const inside = Object.fromEntries(Object.entries(named).map(([what, name]) => [what, join(folder.path, name)]));
    const { main, others, cues } = await openEditedFiles(folder, { folder: "out", ...inside });
    return {
      main: main.name,
      name: main.timeline.name,
      others: others.map(({ name }) => name),
      cues: cues?.path.slice(folder.path.length + 1),
      isPrinted:
        main.fingerprint === (await fileFingerprint(main.path)) &&
        (cues === undefined || cues.fingerprint === (await fileFingerprint(cues.path))),
    };
  } finally {
    await folder.close();
  }
}

const ALL = Object.keys(FILES);
const edited = { "timeline.xml": writeFcp7Xml(timeline("edited")) };

describe("the file that an editor worked in", () => {
  test.each([
    ["nothing was changed", {}, {}, ["timeline.otio", "as written", ["timeline.xml"], undefined]],
    ["the second timeline was", edited, {}, ["timeline.xml", "edited", ["timeline.otio"], undefined]],
    ["a list of cues was", { "cues.srt": "mine" }, {}, ["timeline.otio", "as written", ["timeline.xml"], "cues.srt"]],
    [
      "several were and one timeline is named",
      { ...edited, "cues.vtt": "mine" },
      { timeline: "timeline.xml" },
      ["timeline.xml", "edited", ["timeline.otio"], undefined],
    ],
    [
      "several were and cues are named",
      { ...edited, "cues.vtt": "mine" },
      { cues: "cues.vtt" },
      ["timeline.xml", "edited", ["timeline.otio"], "cues.vtt"],
    ],
  ] as const)("is found where %s", async (_name, changed, named, [main, name, others, cues]) => {
    expect(await opened(ALL, changed, named)).toEqual({ main, name, others, cues, isPrinted: true });
  });

  test("is asked for where several were changed, each by the way to name it", async () => {
    const changed = { ...edited, "cues.vtt": "mine", "cues.srt": "mine" };
    await expect(opened(ALL, changed)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(
        /^"timeline\.xml", "cues\.(?:vtt|srt)" and "cues\.(?:vtt|srt)" were changed.*revoice out\/timeline\.xml, or .* revoice out --cues out\/cues\.\w+, or .* revoice out --cues out\/cues\.\w+; the others/,
      ),
    });
  });

  test("has the name that was given to it, whatever it holds", async () => {
    const swapped = {
      "timeline.otio": writeFcp7Xml(timeline("a")),
      "timeline.xml": writeOtio(timeline("b")),
    };
    for (const [named, other] of [
      ["timeline.otio", "timeline.xml"],
      ["timeline.xml", "timeline.otio"],
    ] as const) {
      expect(await opened(ALL, swapped, { timeline: named })).toMatchObject({ main: named, others: [other] });
    }
  });

  test("is none where there is no timeline, unless one is named", async () => {
    await expect(opened(["cues.vtt"])).rejects.toThrow("there is no timeline in the folder; name one");
  });
});

const ASS_HEAD = "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text";

describe("cues as somebody left them", () => {
  const cues = ["A woman sits.", "She reads.", "Rain falls."].map((text, index) => ({
    id: `line-${index}`,
    start: 1 + 2 * index,
    end: 2 + 2 * index,
    text,
  }));
  const grid = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
  /** What a file holds of them, once something in its text was changed. */
  async function readFrom(name: string, text: string, from: string, to: string) {
    const path = join(await temporaryFolder(), name);
    expect(text).toContain(from);
    await writeFile(path, text.replace(from, to));
    const read = await readEditedCues(path, placedResult(cues), grid);
    return read.map(({ id, start, text: words }) => [id, start, words]);
  }
  const changed = (index: number, start: number, text: string) =>
    cues.map((cue, at) => (at === index ? [cue.id, start, text] : [cue.id, cue.start, cue.text]));

  test("keep their ids in a format that is only read, and in a timeline without our tags", async () => {
    const ass = cues.map(
      ({ start, end, text }) => `Dialogue: 0,0:00:0${start}.00,0:00:0${end}.00,Default,,0,0,0,,${text}`,
    );
    const head = ["[Script Info]", "", "[Events]", ASS_HEAD];
    expect(await readFrom("cues.ass", [...head, ...ass].join("\n"), "She reads.", "She writes.")).toEqual(
      changed(1, 3, "She writes."),
    );
    const markers = cues.map(({ start, end, text }) => ({ start, end, name: "", comment: text }));
    const otio = writeOtio({ ...timeline("mine"), markers });
    expect(await readFrom("mine.otio", otio, "Rain falls.", "Rain drips.")).toEqual(changed(2, 5, "Rain drips."));
  });

  test("are moved by less than a frame where the format writes thousandths, and in no other", async () => {
    const write = (format: "vtt" | "srt" | "edl") =>
      convertCues({ format, cues, issues: [], extras: [] }, { format, grid }).text;
    const moved = changed(1, 3.012, "She reads.");
    expect(await readFrom("cues.vtt", write("vtt"), "00:00:03.000", "00:00:03.012")).toEqual(moved);
    expect(await readFrom("cues.srt", write("srt"), "00:00:03,000", "00:00:03,012")).toEqual(moved);
    const off = cues.map((cue) => ({ ...cue, start: cue.start + 0.012 }));
    const { text } = convertCues({ format: "edl", cues: off, issues: [], extras: [] }, { format: "edl", grid });
    expect(await readFrom("cues.edl", text, "She reads.", "She writes.")).toEqual(changed(1, 3, "She writes."));
  });
});

describe("a timeline", () => {
  test("is the medium that it shows from its first frame to its last, and its cut where another lies over it", async () => {
    Object.assign(engine, openEngine({ run: runHere }));
    onTestFinished(() => void Object.assign(engine, openEngine()));
    const medium = (name: string) => {
      const location = pathToFileURL(sharedMedia(`containers/${name}`)).href;
      return madeMedia(name, { location, durationSeconds: 5 });
    };
    const film = madeTrack("video", [madeClip(medium("sintel-5s.mp4"), 0, 5)]);
    const insert = madeTrack("video", [madeClip(medium("sintel-5s.m4v"), 1, 2)]);
    const path = join(await temporaryFolder(), "timeline.otio");
    for (const [tracks, names] of [
      [[film], ["timeline.otio", "timeline.xml"]],
      [[film, insert], ["timeline.otio"]],
    ] as const) {
      const cut = madeTimeline(tracks);
      await writeFile(path, writeOtio(cut));
      const edited = {
        timeline: cut,
        text: "",
        format: "otio",
        path,
        name: "timeline.otio",
        fingerprint: "",
        issues: [],
      } as const;
      const source = await openTimelineSource(edited, new AbortController().signal);
      expect(source.timelineNames).toEqual(names);
    }
  });
});

describe("recordings of lines", () => {
  test("are found by their line's name or its clip's, of several takes the last; others are left alone", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "sub"));
    const names = [
      "cue-1.wav",
      "cue-1 take 2.wav",
      "cue-1 take 3.WAV",
      "cue-10.wav",
      "aside-cue-2 A door.wav",
      "cue-3.mp3",
      "cue-4x.wav",
      "other.wav",
    ];
    for (const name of names) await writeFile(join(folder, name), name);
    const found = await findRecordings(folder, ["cue-1", "cue-2", "cue-3", "cue-4", "cue-10"]);
    expect([...found].map(([id, { path }]) => [id, path.slice(folder.length + 1)]).sort()).toEqual([
      ["cue-1", "cue-1.wav"],
      ["cue-10", "cue-10.wav"],
      ["cue-2", "aside-cue-2 A door.wav"],
    ]);
    expect(found.get("cue-10")?.fingerprint).toBe(await fileFingerprint(join(folder, "cue-10.wav")));
    await expect(findRecordings(join(folder, "none"), [])).rejects.toThrow(
      '--recordings: "none" is no folder that can be read',
    );
  });
});
