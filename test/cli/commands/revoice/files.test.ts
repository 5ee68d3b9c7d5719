import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findRecordings } from "../../../../src/cli/commands/revoice/cue-recordings.ts";
import { openEditedFiles } from "../../../../src/cli/commands/revoice/edited-files.ts";
import { OutFolder } from "../../../../src/cli/out-folder/out-folder.ts";
import { fileFingerprint } from "../../../../src/cli/source/programme.ts";
import { writeFcp7Xml } from "../../../../src/formats/fcp7-xml/write-fcp7-xml.ts";
import { writeOtio } from "../../../../src/formats/otio/write-otio.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
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

  test("is none where there is no timeline, unless one is named", async () => {
    await expect(opened(["cues.vtt"])).rejects.toThrow("there is no timeline in the folder; name one");
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
