import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { writeCues } from "../../../src/formats/service-formats.ts";
import type { Host } from "../../../src/host/host.ts";
import { voicedCues } from "../../../src/result/stale.ts";
import type { FinishedRun } from "../../../src/workflow/describe/describe.ts";
import { silentWav } from "../../fakes/wav.ts";
import { hostedRun } from "../hosted-run.ts";

/** What the scripted server's own two cues say. */
const [SITS, OPENS] = ["A woman sits at a desk.", "She opens a letter."] as const;
const CAPTIONS = { content: "WEBVTT\n\n00:02.000 --> 00:03.000\nWho is there?\n" };
const VOICING = { track: "ad_only", narration_gain_db: 2, track_gain_db: -1, lines: [] };
const MIX = { channels: 2, integrated_lufs: -23, true_peak_dbtp: -3, cues: [], voicing: VOICING };
const PAUSE = { id: "p1", start: 3, end: 3.5, words: 1, hints: ["a door"] };

/** All that our own service tells of a programme. */
const REPORT = {
  describer: "vision",
  speech: [
    [2.9, 3.4, 0.95],
    [5.5, 5.7, 0.4],
  ],
  music: [
    [0, 1, 0.9],
    [3, 4, 0.2],
  ],
  levels: [10, 20, 30],
  shots: [0, 2],
  notes: ["The picture is dark.", "The picture is dark.", "It is short."],
  wordings: [{ said: SITS, others: [{ text: "A woman.", seconds: 0.6 }] }],
  doubts: [{ said: OPENS, confidence: 0.3, why: "blurred" }],
  dialogue: [{ start: 2.9, end: 3.4, text: "Who?" }],
  bible: "# People\n- Ann: a woman\n",
  mix: MIX,
  to_write: [PAUSE],
};

describe("what a service tells of a programme", () => {
  test("stands in the result, and as it came beside it", async () => {
    const { server, run } = await hostedRun();
    server.report = REPORT;
    const settings = { captions: CAPTIONS, describing: { bible: "Nobody." } };
    const heard = { speech: [{ start: 1, end: 2 }], music: [{ start: 1, end: 2 }] };
    const { result, report } = await run({ settings, heard });
    expect(result).toMatchObject({
      describer: "vision",
      speech: [
        { start: 2.9, end: 3.4, confidence: 0.95 },
        { start: 5.5, end: 5.7, confidence: 0.4 },
      ],
      music: [{ start: 0, end: 1 }],
      levels: REPORT.levels,
      dialogue: REPORT.dialogue,
      bible: { text: REPORT.bible },
      wordings: { "cue-0001": [{ text: "A woman.", seconds: 0.6 }] },
      toWrite: [PAUSE],
      notices: ["The picture is dark.", "It is short."],
      voicing: { track: "ad_only", narrationGainDb: 2, trackGainDb: -1, lines: [] },
    });
    expect(result.findings.map(({ rule, cueIds }) => [rule, cueIds])).toContainEqual(["unsure", ["cue-0002"]]);
    expect(report).toMatchObject({ describer: "vision", shots: [0, 2] });
  });

  test("is not made up where it tells nothing: what was given with the order counts, and what nobody knows is absent", async () => {
    const { run } = await hostedRun();
    const heard = { speech: [{ start: 2, end: 2.4 }], music: [{ start: 1, end: 2 }] };
    const { result } = await run({ heard, settings: { describing: { bible: "Ann: a woman" } } });
    expect(result).toMatchObject({ ...heard, bible: { text: "Ann: a woman" }, notices: [], issues: [] });
    expect(result.findings.map(({ rule }) => rule)).toContain("speech-overlap");
    const { result: bare, report } = await run({ runId: "run-2" });
    expect(report).toBeUndefined();
    for (const name of [
      ...["speech", "music", "levels", "dialogue", "bible", "wordings", "toWrite", "voicing", "script", "held"],
      ...["describer", "cut"],
    ]) {
      expect(bare).not.toHaveProperty(name);
    }
  });

  test("of what is sung is speech where nothing may lie over music, so that no line is moved onto it", async () => {
    const { server, run } = await hostedRun();
    server.report = { ...REPORT, singing: [[0.5, 1.5]] };
    const speechOf = async (runId: string, allowsOverMusic: boolean) =>
      (await run({ runId, settings: { allowsOverMusic, type: "standard", autoFit: true } })).result.speech;
    expect(await speechOf("run-1", false)).toEqual([
      { start: 0.5, end: 1.5 },
      { start: 2.9, end: 3.4, confidence: 0.95 },
      { start: 5.5, end: 5.7, confidence: 0.4 },
    ]);
    expect(await speechOf("run-2", true)).toHaveLength(2);
  });

  test("of songs is told what it found in their words", async () => {
    const { server, run } = await hostedRun();
    server.report = { ...REPORT, dialogue: [{ start: 2.9, end: 3.4, text: "♪ La la la ♪" }] };
    const songs = (await run()).result.findings.filter(({ rule }) => rule.includes("song"));
    server.report = REPORT;
    const none = (await run({ runId: "run-2" })).result.findings.filter(({ rule }) => rule.includes("song"));
    expect([songs.length, none.length]).toEqual([1, 0]);
  });
});

describe("what is asked of a run is what it brings", () => {
  test("text alone has no sound, and nothing that was voiced", async () => {
    const { server, run } = await hostedRun();
    const { result, audio, video } = await run({ track: "none" });
    expect([audio, video]).toEqual([undefined, undefined]);
    expect(result).toMatchObject({ track: "none", voiced: {}, jobId: [...server.jobs.keys()][0], runId: "run-1" });
    expect(result).not.toHaveProperty("audio");
  });

  test.each(["ad_only", "mixed"] as const)(
    "sound of %s is where it was ordered to, and says what it was made of",
    async (track) => {
      const { server, run, folder } = await hostedRun();
      const { result } = await run({ track, settings: { voice: "Kore" } });
      expect(server.bodies("generateAudio")).toMatchObject([{ generation_config: { audio_track_type: track } }]);
      expect(result).toMatchObject({ track, audio: { path: join(folder, "narration.wav"), durationSeconds: 6 } });
      expect(Object.entries(result.voiced)).toMatchObject(
        Object.entries(voicedCues(result.cues, { ...DEFAULT_SETTINGS, voice: "Kore" })),
      );
    },
  );

  test("a video is asked for at its size, and is where it was ordered to", async () => {
    const { server, run, folder } = await hostedRun();
    const path = join(folder, "described.mp4");
    const { video, audio } = await run({ track: "none", video: { path, resolution: "720p" } });
    expect(video).toEqual({ path, sizeBytes: server.mp4.length });
    expect(audio).toBeUndefined();
    expect(server.bodies("generateVideo")).toMatchObject([
      { input: { type: "media_id" }, generation_config: { resolution: "720p", voice: DEFAULT_SETTINGS.voice } },
    ]);
    expect(server.bodies("generateText")).toEqual([]);
  });

  test("a page to write on comes where something is left to write and somebody wants it", async () => {
    for (const [report, isWanted] of [
      [REPORT, true],
      [REPORT, false],
      [undefined, true],
    ] as const) {
      const { server, run, folder } = await hostedRun();
      server.report = report;
      server.worksheet = "<!doctype html>\n<html>Write here.</html>\n";
      const worksheetPath = join(folder, "worksheet.html");
      const { worksheet } = await run(isWanted ? { worksheetPath } : {});
      expect(worksheet).toEqual(report !== undefined && isWanted ? { path: worksheetPath } : undefined);
    }
  });

  test("an empty text is a fault of it, but where a person is to write", async () => {
    const issuesOf = async (report: object | undefined, vtt: string) => {
      const { server, run } = await hostedRun();
      server.report = report;
      server.vtt = vtt;
      return (await run({ track: "none" })).result.issues;
    };
    expect(await issuesOf(undefined, "WEBVTT\n")).not.toEqual([]);
    expect(await issuesOf(REPORT, "WEBVTT\n")).toEqual([]);
    const damaged = "WEBVTT\n\n00:01.000 --> 00:02.000\nGood.\n\n00:xx --> 00:05.000\nBad.\n";
    expect(await issuesOf(REPORT, damaged)).toHaveLength(1);
  });

  test("an extended description is checked as it is heard in its video; sound lies in the programme's time", async () => {
    const { server, run } = await hostedRun();
    const cues = [{ id: "cue-0001", start: 1, end: 1.5 }];
    server.report = { ...REPORT, held: { duration_seconds: 7, pauses: [{ at: 1, video_time: 1, seconds: 1 }], cues } };
    const paceOf = ({ result }: FinishedRun) =>
      result.findings.find(({ rule, cueIds }) => rule === "pace" && cueIds.includes("cue-0001"))?.measured;
    const extended = { type: "extended" } as const;
    // Six words in half a second, and in the second and a half of the cue.
    expect(paceOf(await run({ track: "none", settings: extended }))).toBe(720);
    const sound = await run({ runId: "run-2", settings: extended });
    expect(sound.result).not.toHaveProperty("held");
    server.report = REPORT;
    const unheld = await run({ runId: "run-3", track: "none", settings: extended });
    expect(paceOf(unheld)).toBe(240);
    expect(unheld.result).not.toHaveProperty("held");
  });
});

describe("a script that was given", () => {
  const LINES = [
    { id: "1", start: 1, end: 2.5, text: SITS },
    { id: "2", start: 3.48, end: 4, text: "Nobody says this." },
  ];
  const grid = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };

  test.each(["vtt", "edl"] as const)(
    "is held against what came of it, in frames of the programme where it is %s",
    async (format) => {
      const { server, run } = await hostedRun();
      server.report = {
        ...REPORT,
        left_out: [{ text: "Nobody says this.", start: 3.48, end: 4, seconds: 2, reason: "too-long" }],
      };
      const { result } = await run({ settings: { script: writeCues(LINES, format, { grid }) } });
      expect(result.script).toMatchObject({ given: 2, moved: [], leftOut: [{ reason: "too-long", neededSeconds: 2 }] });
      const [left] = result.findings.filter(({ rule }) => rule === "script-left-out");
      expect(left).toMatchObject({ range: { start: 3.48, end: 4 } });
      // By the timecode of the sequence.
      expect(left?.message).toContain("01:00:03:12");
    },
  );

  test("has no outcome where its lines are only voiced where they are, or no text came back", async () => {
    const script = writeCues(LINES, "vtt");
    const { server, run } = await hostedRun();
    const voicing = { track: "ad_only", lines: [] } as const;
    expect((await run({ settings: { script, voicing } })).result).not.toHaveProperty("script");
    server.vtt = "";
    expect((await run({ runId: "run-2", settings: { script } })).result).not.toHaveProperty("script");
    server.vtt = "WEBVTT\n";
    expect((await run({ runId: "run-3", settings: { script } })).result.script?.leftOut).toHaveLength(2);
  });

  test("names its lines without a time that can be read among what was found", async () => {
    const { run } = await hostedRun();
    const { result } = await run({ settings: { script: `${writeCues(LINES, "vtt")}\n00:xx --> 00:09.000\nLost.\n` } });
    expect(result.findings.at(-1)).toMatchObject({ rule: "script-unread", severity: "warn" });
  });
});

/** A host that gives an export to a queue; each call of an export is kept, and ends as the test says. */
async function queueingRun() {
  const made = await hostedRun();
  const { host } = made.ports;
  const asked: Parameters<Host["exportSequence"]>[0][] = [];
  const own = {
    isTemporary: false,
    layout: undefined as undefined | readonly [],
    path: undefined as undefined | string,
    /** Called once the queue has the export. */
    during: async (): Promise<void> => {},
  };
  const queueing = {
    readSequence: () => host.readSequence(),
    exportSequence: async (request, operation) => {
      asked.push(request);
      const { layout, isTemporary } = own;
      const exported = await host.exportSequence({ range: "whole" }, operation);
      const media = {
        ...exported,
        isTemporary,
        path: own.path ?? exported.path,
        ...(layout === undefined ? {} : { layout }),
      };
      const { sizeBytes: _, ...queued } = media;
      await operation.onQueued?.(queued);
      operation.onProgress?.({ fraction: 0.5 });
      await own.during();
      return media;
    },
  } as Host;
  const ports = { ...made.ports, host: queueing };
  return { ...made, asked, own, ports, runHere: (signal?: AbortSignal) => made.run({}, signal, ports) };
}

describe("the export of a run", () => {
  test("is what the order asks for, and its progress is told; the cut that it shows is kept where the host tells", async () => {
    const { asked, own, progress, runHere } = await queueingRun();
    own.layout = [];
    const { result, exported } = await runHere();
    expect(asked).toEqual([{ range: "whole" }]);
    expect(result.cut).toEqual({ layout: [] });
    expect(exported.layout).toEqual([]);
    expect(progress.filter(({ step }) => step === "export")).toEqual([
      { step: "export", state: "begun" },
      { step: "export", state: "under-way", fraction: 0.5 },
      { step: "export", state: "done", fraction: 1 },
    ]);
  });

  test("goes on in its queue when the run is ended, is waited for by the next one, and is forgotten once it is there", async () => {
    const { asked, own, recovery, folder, runHere } = await queueingRun();
    const controller = new AbortController();
    own.during = async () => {
      controller.abort("stop");
      controller.signal.throwIfAborted();
    };
    await expect(runHere(controller.signal)).rejects.toBe("stop");
    const queued = { path: join(folder, "Harbour v7.mp4"), contentType: "video/mp4", isTemporary: false };
    expect(await recovery.load("run-1")).toMatchObject({ name: "Harbour v7", queued });
    own.during = async () => {};
    await runHere();
    expect(asked[1]).toMatchObject({ range: "whole", queued });
    const record = await recovery.load("run-1");
    expect(record).toMatchObject({ name: "Harbour v7", exported: queued });
    expect(record).not.toHaveProperty("queued");
  });

  test("that failed is not waited for again", async () => {
    const { asked, own, recovery, runHere } = await queueingRun();
    own.during = () => Promise.reject(new Error("no room"));
    await expect(runHere()).rejects.toThrow("no room");
    expect(await recovery.load("run-1")).not.toHaveProperty("queued");
    own.during = async () => {};
    await runHere();
    expect(asked).toEqual([{ range: "whole" }, { range: "whole" }]);
  });

  test("is made once more where its file changed, and then sent once more; where the service has it, our own file may go", async () => {
    for (const [isTemporary, isSent, exports] of [
      [true, true, 1],
      [true, false, 2],
      [false, true, 2],
    ] as const) {
      const { server, asked, own, ports, recovery, runHere } = await queueingRun();
      own.isTemporary = isTemporary;
      const refusal = { status: 429, body: JSON.stringify({ error: "plan_limit_exceeded", message: "spent" }) };
      if (isSent) server.faults.generateAudio = [refusal];
      else server.faults.uploadMedia = [refusal];
      await expect(runHere()).rejects.toMatchObject({ code: "plan_limit_exceeded" });
      const { exported } = (await recovery.load("run-1")) ?? {};
      // It shrank meanwhile.
      await recovery.save({ ...(await recovery.load("run-1")), exported: { ...exported, sizeBytes: 5 } } as never);
      await runHere();
      expect(asked).toHaveLength(exports);
      expect(server.stored.size).toBe(isSent && !isTemporary ? 2 : 1);
      const sizeBytes = exports === 2 ? await ports.files.size(exported?.path ?? "") : 5;
      expect((await recovery.load("run-1"))?.exported?.sizeBytes).toBe(sizeBytes);
    }
  });
});

test("a voice that goes on behind its cue is as long as it is heard, and found where it lies over speech", async () => {
  const { server, run } = await hostedRun();
  server.report = REPORT;
  server.wav = silentWav(6);
  // From 1 s to 3.2 s, in both channels of 16 bits.
  for (let at = 44 + 48_000 * 4; at < 44 + 48_000 * 4 * 3.2; at += 2) {
    server.wav[at + 1] = at % 8 < 4 ? 32 : 224;
  }
  const { result } = await run();
  expect(result.voiced["cue-0001"]?.seconds).toBeCloseTo(2.2, 1);
  expect(result.voiced["cue-0002"]).not.toHaveProperty("seconds");
  expect(result.findings.filter(({ rule }) => rule === "voice-overrun")).toMatchObject([{ cueIds: ["cue-0001"] }]);
});
