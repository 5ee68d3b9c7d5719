import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Timeline } from "../../../src/core/timeline.ts";
import { editOtio, parseOtio, writeOtio } from "../../../src/formats/index.ts";
import type { EditStep } from "../../../src/host/edit-plan.ts";
import { nodeFiles } from "../../../src/host/headless/files.ts";
import { TimelineHost } from "../../../src/host/headless/timeline-host.ts";
import { silentWav } from "../../fakes/wav.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** A cut of a minute as an OTIO file, of which `read` gives what is read back after an edit. */
async function open(
  read: (timeline: Timeline | null) => Timeline | null = (timeline) => timeline,
  issues: readonly string[] = [],
) {
  const folder = await temporaryFolder();
  const film = madeClip(madeMedia("film.mp4", { durationSeconds: 60 }), 0, 60);
  const text = writeOtio(madeTimeline([madeTrack("video", [film])]));
  const { timeline } = parseOtio(text);
  if (timeline === null) throw new Error("no timeline");
  const host = new TimelineHost({
    path: join(folder, "cut.otio"),
    text,
    timeline,
    durationSeconds: 60,
    files: nodeFiles,
    renderPath: join(folder, "render.mp4"),
    render: async () => undefined,
    output: {
      path: join(folder, "cut-described.otio"),
      edit: (document, _timeline, change) => ({
        ...editOtio(document, change),
        issues: issues.map((message) => ({ line: 1, text: "", effect: "dropped", code: "bad-entry", message })),
      }),
      read: (document) => read(parseOtio(document).timeline),
    },
    finalPathOf: (path) => path,
  });
  const sounds = await Promise.all(
    ["one.wav", "two.wav"].map(async (clipName, index): Promise<EditStep> => {
      const path = join(folder, clipName);
      await writeFile(path, silentWav(2, 1));
      return { kind: "place-audio", path, clipName, start: 10 * index, durationSeconds: 2 };
    }),
  );
  const markers = ["cue-0001", "cue-0002"].map((cueId, index): EditStep => {
    const [name, comment, colour] = [`AD ${index}`, `Words of ${cueId}.`, "green"] as const;
    return { kind: "add-marker", cueId, start: 10 * index, duration: 1, name, comment, colour };
  });
  const apply = async () => {
    const { id: sequenceId } = await host.readSequence();
    const groups = [
      { label: "Place markers", steps: markers },
      { label: "Place narration", steps: sounds },
    ];
    return host.apply({ sequenceId, groups }, { signal: new AbortController().signal });
  };
  return { host, apply };
}

test("what is applied is read back, and every cue has its marker", async () => {
  const { host, apply } = await open();
  const { outcome, differences, markerIds } = await apply();
  expect([outcome, differences]).toEqual(["done", []]);
  const { markers, tracks } = await host.readTimeline();
  expect(Object.keys(markerIds)).toEqual(["cue-0001", "cue-0002"]);
  expect(markers.map(({ id }) => id)).toEqual(Object.values(markerIds));
  expect(new Set(Object.values(markerIds)).size).toBe(2);
  expect(tracks.flatMap(({ kind, clips }) => (kind === "audio" ? clips.map(({ name }) => name) : []))).toEqual([
    "one.wav",
    "two.wav",
  ]);
});

test("every sound that is not in the file is told", async () => {
  const { apply } = await open((timeline) => {
    const video = timeline?.tracks.filter(({ kind }) => kind === "video") ?? [];
    return timeline === null ? null : { ...timeline, tracks: video };
  });
  expect(await apply()).toMatchObject({
    outcome: "partial",
    differences: ["one.wav", "two.wav"].map((name) => `cut-described.otio: the sound "${name}" is missing`),
  });
});

test("everything that an edit leaves out is told", async () => {
  const issues = ["a title was left out", "a speed was left out"];
  const { differences } = await (await open(undefined, issues)).apply();
  expect(differences).toEqual(issues.map((message) => `cut-described.otio: ${message}`));
});
