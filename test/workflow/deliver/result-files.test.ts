import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { readCues } from "../../../src/formats/registry.ts";
import { captionFiles, videoClockFiles, writeTextFiles } from "../../../src/workflow/deliver/result-files.ts";
import { reportOf } from "../../../src/workflow/deliver/run-report.ts";
import { type FinishedRun, readReply } from "../../../src/workflow/describe/describe.ts";
import { estimateRun } from "../../../src/workflow/describe/run.ts";
import { programmeGrid } from "../../../src/workflow/spoken-lines.ts";
import { placedResult } from "../../fakes/placed-result.ts";

const RATE = frameRate(30000, 1001);
const sequence = {
  id: "s",
  name: "Harbour",
  rate: RATE,
  isDropFrame: true,
  startFrame: 107_892,
  durationSeconds: 100,
};
const exported = {
  path: "/home/me/Harbour.mp4",
  contentType: "video/mp4",
  sizeBytes: 5,
  durationSeconds: 60,
  offsetSeconds: 10.01,
  isTemporary: true,
};
const cues = [
  { id: "cue-0001", start: 1.001, end: 3.003, text: "She opens the letter." },
  { id: "cue-0002", start: 8.008, end: 9.009, text: "Rain – and “nothing” else." },
];
const finished: FinishedRun = {
  result: placedResult(cues, { offsetSeconds: 10.01, notices: ["n"] }),
  sequence,
  exported,
  raw: { format: "txt", content: "whatever came" },
  audio: {
    path: "/home/me/out/narration.wav",
    durationSeconds: 60,
    format: { channels: 2, sampleRate: 48_000, encoding: "integer", bits: 16, channelMask: 3 },
  },
  stepSeconds: { wait: 1.23456 },
};

test("FMT-01 FMT-02 FMT-03 FMT-04: writes the reply as it came, and the same cues in all four formats", () => {
  const files = captionFiles(finished, "en-US");
  expect(files.map(({ name }) => name)).toEqual(["raw.txt", "cues.vtt", "cues.srt", "cues.edl", "cues.json"]);
  expect(files[0]?.text).toBe("whatever came");
  const grid = programmeGrid(sequence, exported.offsetSeconds);
  for (const { name, text } of files.slice(1)) {
    const read = readCues(text, { filename: name, grid, durationSeconds: 60 });
    expect(read.issues).toEqual([]);
    expect(read.cues.map((cue) => cue.text)).toEqual(cues.map((cue) => cue.text));
    for (const [index, cue] of read.cues.entries()) {
      expect(Math.abs(cue.start - (cues[index]?.start ?? 0))).toBeLessThan(1 / 59);
      expect(Math.abs(cue.end - (cues[index]?.end ?? 0))).toBeLessThan(1 / 59);
    }
  }
});

test("PANEL-24 PANEL-33: counts timecode from the sequence's zero point and the export offset", () => {
  expect(captionFiles(finished, "en-US")[3]?.text).toContain("01:00:11;00");
});

test("the report says what was asked for and what came, without paths, keys or addresses", () => {
  const report = reportOf(finished, {
    settings: { ...DEFAULT_SETTINGS, script: "secret words", captions: { content: "x", filename: "a.srt" } },
    service: "api.example.com",
    version: "0.1.0",
    finishedAt: "2026-01-01T00:00:00Z",
    files: ["cues.vtt"],
  });
  expect(report).toMatchObject({
    generator: "aside",
    job_id: "job-1",
    programme: { frame_rate: "30000/1001", drop_frame: true, start_timecode: "01:00:10;00" },
    settings: { language: "en-US", track: "ad_only", captions: "a.srt", script: "given" },
    audio: { duration_seconds: 60, channels: 2, sample_rate: 48_000 },
    step_seconds: { wait: 1.235 },
    notices: ["n"],
  });
  expect(report.cues[0]).toEqual({
    id: "cue-0001",
    start: 1.001,
    end: 3.003,
    timecode: "01:00:11;00",
    text: "She opens the letter.",
  });
  expect(JSON.stringify(report)).not.toMatch(/\/home|secret words/);
});

test("the report tells of files, of what is left to write and of the script where there are any, and of nothing else", () => {
  const context = {
    settings: { ...DEFAULT_SETTINGS, captions: { content: "x" } },
    service: "embedded",
    version: "0.1.0",
    finishedAt: "2026-01-01T00:00:00Z",
    files: [],
  };
  const { audio: _, ...silent } = finished;
  const bare = reportOf({ ...silent, result: placedResult(cues) }, { ...context, settings: DEFAULT_SETTINGS });
  for (const name of ["audio", "video", "to_write", "script", "service_report"]) expect(bare).not.toHaveProperty(name);
  expect(bare.settings).toEqual({ ...DEFAULT_SETTINGS, track: "ad_only" });
  const pause = { id: "p1", start: 3.003, end: 5, words: 3, hints: ["a door"] };
  const way = { kind: "move", isPossible: true, outcome: "a pause begins at 8.0 s" } as const;
  const line = {
    start: 20.0204,
    end: 22,
    text: "Rain.",
    reason: "crowded",
    neededSeconds: 1.23456,
    lackingSeconds: 0.5,
  };
  const script = {
    given: 3,
    moved: [{ cueId: "cue-0002", start: 7.007, bySeconds: 1.0014 }],
    leftOut: [{ ...line, waysOut: [way] }],
  };
  const report = { describer: "script" } as never;
  const full = reportOf(
    {
      ...silent,
      video: { path: "/v.mp4", sizeBytes: 77 },
      report,
      result: placedResult(cues, { offsetSeconds: 10.01, toWrite: [pause], script }),
    },
    context,
  );
  expect(full).toMatchObject({
    settings: { captions: "given" },
    video: { size_bytes: 77 },
    to_write: [{ ...pause, timecode: "01:00:13;00" }],
    script: {
      counts: { given: 3, as_written: 1, moved: 1, left_out: 1 },
      moved: [{ id: "cue-0002", timecode: "01:00:17;00", by_seconds: 1.001 }],
      left_out: [
        {
          timecode: expect.stringMatching(/^01:00:30;/),
          start: 20.02,
          text: "Rain.",
          reason: "crowded",
          needed_seconds: 1.235,
          lacking_seconds: 0.5,
          ways_out: [{ kind: "move", possible: true, outcome: way.outcome }],
        },
      ],
    },
    service_report: report,
  });
  expect(full).not.toHaveProperty("audio");
});

test("texts are written under the names that they have where they go", async () => {
  const written: string[][] = [];
  const files = { writeText: async (path: string, text: string) => void written.push([path, text]) };
  const texts = [
    { name: "a.vtt", text: "A" },
    { name: "b.srt", text: "B" },
  ];
  await writeTextFiles(files, texts, (name) => `/out/${name}`);
  expect(written).toEqual([
    ["/out/a.vtt", "A"],
    ["/out/b.srt", "B"],
  ]);
});

test("PANEL-25: an EDL from 00:00:00:00 or from 01:00:00:00 gives the same cues, and the assumption is reported", () => {
  const plain = { ...sequence, isDropFrame: false, rate: frameRate(25), startFrame: 0 };
  const programme = {
    sequence: plain,
    exported: { offsetSeconds: 0, durationSeconds: 60 },
    askedFormat: "edl" as const,
  };
  const edl = (hour: string) =>
    `TITLE: AD\nFCM: NON-DROP FRAME\n\n001  AX  A  C  00:00:00:00 00:00:02:00 ${hour}:00:01:00 ${hour}:00:03:00\n* COMMENT: She sits.\n`;
  const zero = readReply({ format: "edl", content: edl("00") }, programme);
  const one = readReply({ format: "edl", content: edl("01") }, programme);
  expect(zero.cues).toMatchObject([{ start: 1, end: 3, text: "She sits." }]);
  expect(one.cues).toEqual(zero.cues);
  expect(one.issues.map(({ code }) => code)).toContain("assumed-start");
});

test("reads a reply as what it is, where it is not what was asked for", () => {
  const programme = { sequence, exported, askedFormat: "edl" as const };
  const vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n";
  expect(readReply({ format: null, content: vtt }, programme)).toMatchObject({ format: "vtt", cues: [{ start: 1 }] });
  expect(readReply({ format: "edl", content: "Service is busy" }, programme)).toMatchObject({ cues: [] });
});

test("PANEL-03: ten minutes cost 5, 7.5 and 10 credits at the hosted service, and nothing here", () => {
  const of = (kind: "text" | "audio" | "video", isLocal = false) =>
    estimateRun({ durationSeconds: 600, kind, sizeBytes: 190_000_000, isLocal });
  expect([of("text").credits, of("audio").credits, of("video").credits]).toEqual([5, 7.5, 10]);
  expect(of("audio", true)).toMatchObject({ credits: 0, minutes: 10, uploadBytes: 190_000_000 });
});

test("writes the cues of a held programme as long as they are spoken, on the clock of the described video, and says so", () => {
  const held = {
    duration_seconds: 67,
    pauses: [{ at: 3.003, video_time: 3.003, seconds: 7 }],
    cues: [
      { id: "cue-0001", start: 3.003, end: 6.006 },
      { id: "cue-0002", start: 6.206, end: 9.909 },
    ],
  };
  const instants = cues.map((cue) => ({ ...cue, start: 3.003, end: 3.004 }));
  const result = { ...finished.result, cues: instants };
  const files = videoClockFiles({ result, sequence, report: { held } }, "en-US");
  expect(files.map(({ name }) => name)).toEqual(["time-map.json", "described.vtt", "described.srt", "described.edl"]);
  const grid = programmeGrid(sequence, exported.offsetSeconds);
  for (const { name, text } of files.slice(1)) {
    const read = readCues(text, { filename: name, grid, durationSeconds: 67 });
    expect(read.cues.map(({ text: words }) => words)).toEqual(cues.map(({ text: words }) => words));
    for (const [index, { start, end }] of held.cues.entries()) {
      expect(Math.abs((read.cues[index]?.start ?? 0) - start)).toBeLessThan(1 / 59);
      expect(Math.abs((read.cues[index]?.end ?? 0) - end)).toBeLessThan(1 / 59);
    }
  }
  expect(files.at(-1)?.text).toContain("TITLE: Harbour, on the clock of the described video");
  expect(files[1]?.text).toMatch(/^Language: en-US$/m);
  expect(videoClockFiles(finished, "en-US")).toEqual([]);
  // What has no pauses has the programme's clock, and a cue that is gone is told with its time in the video alone.
  const none = { ...held, pauses: [] };
  expect(videoClockFiles({ result, sequence, report: { video: { picture: "copied", ...none } } }, "en-US")).toEqual([]);
  const [first] = instants;
  const fewer = { ...result, cues: first === undefined ? [] : [first] };
  const [map, texts] = videoClockFiles({ result: fewer, sequence, report: { held } }, "en-US");
  expect(JSON.parse(map?.text ?? "")).toEqual({
    programme_seconds: 60,
    video_seconds: 67,
    pauses: held.pauses,
    cues: [
      { id: "cue-0001", programme: [3.003, 3.004], video: [3.003, 6.006] },
      { id: "cue-0002", video: [6.206, 9.909] },
    ],
  });
  expect(map?.text.endsWith("}\n")).toBe(true);
  expect(readCues(texts?.text ?? "").cues).toHaveLength(1);
});
