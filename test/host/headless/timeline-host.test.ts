import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TimeRange } from "../../../src/core/time-range.ts";
import type { Timeline } from "../../../src/core/timeline.ts";
import { editOtio, parseOtio, writeOtio } from "../../../src/formats/index.ts";
import type { EditStep } from "../../../src/host/edit-plan.ts";
import { nodeFiles } from "../../../src/host/headless/files.ts";
import { TimelineHost } from "../../../src/host/headless/timeline-host.ts";
import { silentWav } from "../../fakes/wav.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** How a host that is opened differs from the usual one. */
interface Opened {
  /** What is read back after an edit. */
  readonly read?: (timeline: Timeline | null) => Timeline | null;
  /** What an edit could not do. */
  readonly issues?: readonly string[];
  /** What a render leaves at its path; nothing where it is not said. */
  readonly rendered?: string;
  /** What the cut is called in its document. */
  readonly name?: string;
  /** Whether its document takes no change at all. */
  readonly isClosed?: boolean;
  /** What the two markers say. */
  readonly comments?: readonly [string, string];
}

/** A cut of a minute as an OTIO file. */
async function open({ read = (timeline) => timeline, issues = [], rendered, comments, ...more }: Opened = {}) {
  const folder = await temporaryFolder();
  const film = madeClip(madeMedia("film.mp4", { durationSeconds: 60 }), 0, 60);
  const text = writeOtio({ ...madeTimeline([madeTrack("video", [film])]), name: more.name ?? "Harbour" });
  const { timeline } = parseOtio(text);
  if (timeline === null) throw new Error("no timeline");
  const renders: TimeRange[] = [];
  const host = new TimelineHost({
    path: join(folder, "cut.otio"),
    text,
    timeline,
    durationSeconds: 60,
    files: nodeFiles,
    renderPath: join(folder, "render.mp4"),
    render: async (stretch, path) => {
      renders.push(stretch);
      if (rendered !== undefined) await writeFile(path, rendered);
    },
    output: {
      path: join(folder, "cut-described.otio"),
      edit: (document, _timeline, change) => ({
        ...(more.isClosed === true ? { ok: false as const } : editOtio(document, change)),
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
    const [name, comment, colour] = [`AD ${index}`, comments?.[index] ?? `Words of ${cueId}.`, "green"] as const;
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
  return { host, apply, folder, renders };
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
  const { apply } = await open({
    read: (timeline) => {
      const video = timeline?.tracks.filter(({ kind }) => kind === "video") ?? [];
      return timeline === null ? null : { ...timeline, tracks: video };
    },
  });
  expect(await apply()).toMatchObject({
    outcome: "partial",
    differences: ["one.wav", "two.wav"].map((name) => `cut-described.otio: the sound "${name}" is missing`),
  });
});

test("everything that an edit leaves out is told", async () => {
  const issues = ["a title was left out", "a speed was left out"];
  const { differences } = await (await open({ issues })).apply();
  expect(differences).toEqual(issues.map((message) => `cut-described.otio: ${message}`));
});

const { signal } = new AbortController();

describe("the cut of a timeline", () => {
  test("is rendered whole, or a stretch of it in whole frames inside it, to a file of its own", async () => {
    const { host, folder, renders } = await open({ rendered: "a film" });
    const whole = await host.exportSequence({ range: "whole" }, { signal });
    expect(whole).toEqual({
      ...{ path: join(folder, "render.mp4"), contentType: "video/mp4", sizeBytes: 6 },
      ...{ durationSeconds: 60, offsetSeconds: 0, isTemporary: true },
    });
    const stretch = await host.exportSequence({ range: { start: 10.01, end: 12 } }, { signal });
    expect(stretch).toMatchObject({ path: join(folder, "render-250-300.mp4"), offsetSeconds: 10, durationSeconds: 2 });
    const all = await host.exportSequence({ range: { start: -3, end: 90 } }, { signal });
    expect(all).toMatchObject({ offsetSeconds: 0, durationSeconds: 60 });
    expect(renders).toEqual([
      { start: 0, end: 60 },
      { start: 10, end: 12 },
      { start: 0, end: 60 },
    ]);
  });

  test.each([undefined, ""])("that made no file, or an empty one, is told: %j", async (rendered) => {
    const { host } = await open(rendered === undefined ? {} : { rendered });
    await expect(host.exportSequence({ range: "whole" }, { signal })).rejects.toMatchObject({
      ...{ code: "export_failed", message: "rendering the timeline made no file" },
      ...{ operation: "render the timeline", state: "nothing was changed" },
    });
  });

  test("is not rendered for who has given up", async () => {
    const { host, renders } = await open({ rendered: "a film" });
    const given = AbortSignal.abort(new Error("given up"));
    await expect(host.exportSequence({ range: "whole" }, { signal: given })).rejects.toThrow("given up");
    expect(renders).toEqual([]);
  });
});

describe("the marker of each cue", () => {
  const moved =
    (seconds: number, comment = (text: string) => text): NonNullable<Opened["read"]> =>
    (timeline) => {
      const markers = timeline?.markers.map((one) => ({
        ...one,
        start: one.start + seconds,
        comment: comment(one.comment),
      }));
      return timeline === null ? null : { ...timeline, markers: markers ?? [] };
    };
  const cuesWithMarkers = async (opened: Opened) => Object.keys((await (await open(opened)).apply()).markerIds);

  test("is told apart from one that says the same at another time", async () => {
    const { host, apply } = await open({ comments: ["The same.", "The same."] });
    const { markerIds } = await apply();
    const { markers } = await host.readTimeline();
    expect([markerIds["cue-0001"], markerIds["cue-0002"]]).toEqual(markers.map(({ id }) => id));
    expect(markers.map(({ start }) => start)).toEqual([0, 10]);
  });

  test("is the one that lies within a frame and says the same, but for what is around its words", async () => {
    const both = ["cue-0001", "cue-0002"];
    expect(await cuesWithMarkers({ read: moved(0.039) })).toEqual(both);
    expect(await cuesWithMarkers({ read: moved(0.041) })).toEqual([]);
    expect(await cuesWithMarkers({ read: moved(0, (text) => ` ${text}\n`) })).toEqual(both);
    expect(await cuesWithMarkers({ comments: ["Words. ", " More."], read: moved(0, (text) => text.trim()) })).toEqual(
      both,
    );
    expect(await cuesWithMarkers({ read: moved(0, (text) => text.replace("0002", "9")) })).toEqual(["cue-0001"]);
  });
});

describe("the name of a cut", () => {
  test("is that in its document, else that of its file", async () => {
    expect((await (await open()).host.readSequence()).name).toBe("Harbour");
    expect((await (await open({ name: "" })).host.readSequence()).name).toBe("cut");
  });

  test("of a copy is its own, also in the file that it is written to; the cut keeps its name", async () => {
    const { host, apply, folder } = await open();
    const { id } = await host.readSequence();
    const copy = await host.copySequence({ sequenceId: id, name: "Harbour (AD)" }, { signal });
    expect(copy.name).toBe("Harbour (AD)");
    await apply();
    const written = (await readdir(folder)).filter((name) => name.endsWith(".otio"));
    expect(written).toHaveLength(1);
    const text = await readFile(join(folder, written[0] ?? ""), "utf8");
    expect(parseOtio(text).timeline?.name).toBe("Harbour (AD)");
    const plain = await open();
    await plain.apply();
    expect(parseOtio(await readFile(join(plain.folder, "cut-described.otio"), "utf8")).timeline?.name).toBe("Harbour");
  });
});

test.each([
  [["Clips of this kind cannot be changed."], "the timeline was not edited: Clips of this kind cannot be changed."],
  [[], "the timeline was not edited: its document cannot be changed"],
])("a document that takes no change is told, and nothing is written", async (issues, message) => {
  const { apply, folder } = await open({ issues, isClosed: true });
  await expect(apply()).rejects.toMatchObject({
    ...{ code: "apply_failed", message, operation: "apply a plan", state: "nothing was changed" },
  });
  expect((await readdir(folder)).filter((name) => name.endsWith(".otio"))).toEqual([]);
});
