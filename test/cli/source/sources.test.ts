import { appendFile, copyFile, mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { SAMPLE_CLIP } from "../../../src/cli/sample.ts";
import { readingTexts } from "../../../src/cli/shell/run-command.ts";
import { namedOrOwn, readCueSource, readGivenText, unread } from "../../../src/cli/source/cue-source.ts";
import { openSource } from "../../../src/cli/source/described-source.ts";
import { fileFingerprint, openProgramme } from "../../../src/cli/source/programme.ts";
import { readText, readTextFile } from "../../../src/cli/source/text-file.ts";
import {
  type OpenedTimeline,
  openTimeline,
  readTimelineText,
  textAfterPlan,
  timelineFilesIn,
} from "../../../src/cli/source/timeline-source.ts";
import { type CutOrder, engine, openEngine } from "../../../src/engine/index.ts";
import { writeFcp7Xml } from "../../../src/formats/fcp7-xml/write-fcp7-xml.ts";
import { writeOtio } from "../../../src/formats/otio/write-otio.ts";
import { parseTimeline } from "../../../src/formats/read-document.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";
import { runHere } from "../../service/tasks-here.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// What a command is given to read: texts, lists of cues, timelines with their media. No media is decoded here.

/** Does some reading as a command does; what it tells of it comes along. */
async function reading<Result>(work: () => Promise<Result>, values: Record<string, string> = {}) {
  const told: string[] = [];
  const output = { print: () => undefined, tell: (line: string) => void told.push(line) };
  const result = await readingTexts({ values, positionals: [] }, output, work);
  return { result, told };
}

async function laid(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  return path;
}

describe("a text", () => {
  test("is read up to 32 MiB, and refused a byte above that", async () => {
    const path = await laid("a.txt", "x".repeat(3_000_000));
    expect((await readText(path)).text.length).toBe(3_000_000);
    await truncate(path, 32 * 1024 * 1024 + 1);
    await expect(readText(path)).rejects.toMatchObject({
      code: "file_unreadable",
      message: '"a.txt" is too long for captions or a script',
    });
  });

  test("that is not there, a folder, or a picture is refused by its name", async () => {
    const folder = await temporaryFolder();
    await expect(readText(join(folder, "no.vtt"))).rejects.toMatchObject({ code: "file_not_found" });
    await mkdir(join(folder, "d.vtt"));
    await expect(readText(join(folder, "d.vtt"))).rejects.toMatchObject({ name: "HostError" });
    const png = await laid("a.png", Buffer.from("89504e470d0a1a0a0000000d", "hex"));
    const refused = (name: string) => ({ code: "file_unreadable", message: expect.stringMatching(`^"${name}" \\w`) });
    await expect(readText(png)).rejects.toMatchObject(refused("a.png"));
    const broken = await laid("a.docx", `PK\u0003\u0004${"\0".repeat(26)}word/${"\0".repeat(400)}`);
    await expect(readText(broken)).rejects.toMatchObject(refused("a.docx"));
  });

  test("in another encoding is told with how to name one, and is read in the one that is named", async () => {
    const path = await laid(
      "a.txt",
      Buffer.from("Une femme entre dans un caf\xe9 d\xe9sert. Elle s'assied.", "latin1"),
    );
    const { result, told } = await reading(() => readTextFile(path));
    expect(result).toContain("café désert");
    expect(told).toEqual([expect.stringMatching(/^"a\.txt": .*--encoding names another/)]);
    const cyrillic = await reading(() => readTextFile(path), { encoding: "windows-1251" });
    expect(cyrillic.result).toContain("cafй");
    // Half of a pair, in an encoding that nothing states: both are told.
    const broken = Buffer.from("A door opens, \ud800and nobody comes.", "utf16le");
    expect((await reading(async () => readTextFile(await laid("b.txt", broken)))).told).toEqual([
      expect.stringMatching(/^"b\.txt": .*utf-16le was assumed.*--encoding names another/),
      expect.stringMatching(/^"b\.txt": bytes that are no character were replaced/),
    ]);
    await expect(reading(() => readTextFile(path), { encoding: "klingon" })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining('there is no "klingon"'),
    });
  });
});

describe("a list of cues", () => {
  const vtt = "WEBVTT\n\na\n00:01.000 --> 00:02.000\nA woman sits.\n\nb\n00:03.000 --> 00:04.000\nShe stands.\n";

  test("that a service reads by itself stays to the letter; any other becomes WebVTT, and what was read is told", async () => {
    const plain = await laid("a.vtt", vtt);
    const { result } = await reading(() => readGivenText(plain));
    expect([result.content, result.filename]).toEqual([vtt, "a.vtt"]);
    const table = await laid(
      "a.csv",
      "start,end,text\n00:00:01.000,00:00:02.000,A woman sits.\n00:00:03.000,00:00:04.000,She stands.\n",
    );
    const { result: written, told } = await reading(() => readGivenText(table));
    expect(written.filename).toBe("a.vtt");
    expect(written.content).toMatch(/A woman sits\.[\s\S]*She stands\./);
    expect(told).toEqual(written.told);
    expect(told.every((line) => line.startsWith('"a.csv", '))).toBe(true);
    // What an earlier line had to have said of it hides nothing of a later one.
    const lost = await laid("b.csv", "start,end,text\n0:01,0:02,A woman sits.\nsoon,0:04,She stands.\n0:05,0:06,\n");
    const { told: some } = await reading(() => readGivenText(lost));
    expect(some).toEqual([
      expect.stringContaining('"b.csv", '),
      expect.stringContaining("the times cannot be read: "),
      expect.stringContaining("a time without text"),
    ]);
  });

  test("is refused where it holds none, with every reading that it may have", async () => {
    await expect(readCueSource(await laid("a.vtt", "WEBVTT\n"))).rejects.toThrow(
      '"a.vtt" holds no cue that can be read',
    );
    const first = { start: 1, end: 2, text: "One." };
    const readings = [
      {
        label: "seconds",
        choice: { unit: "s" },
        fit: 1,
        fitting: 2,
        lines: 3,
        preview: [first, { ...first, start: 61, text: "Two." }],
      },
      { label: "frames", choice: { unit: "frames", rate: "25" }, fit: 1, fitting: 3, lines: 3, preview: [first] },
    ];
    const held = unread("a.txt", { verdict: { kind: "unsure", question: "Which unit?", readings } as never });
    expect(held?.message).toMatch(
      /^"a\.txt": Which unit\? Choose one:\n {2}--text-unit s: seconds \(2 of 3 lines fit\)\n {4}\S+ {2}One\.\n {4}\S+ {2}Two\.\n {2}--text-unit frames --text-rate 25: frames \(3 of 3 lines fit\)\n {4}\S+ {2}One\.\n$/,
    );
    for (const [mend, option] of [
      ["start", "--text-start 10:00:00:00"],
      ["unit", "--text-unit ms"],
      ["column", "--columns text=C"],
      ["rate", "--rate 25"],
      [undefined, ""],
    ] as const) {
      const verdict = { kind: "does not fit", why: "it is of another film", ...(mend === undefined ? {} : { mend }) };
      const message = unread("a.txt", { verdict: verdict as never })?.message;
      expect(message).toBe(`"a.txt": it is of another film${option === "" ? "" : ` (${option})`}`);
    }
    expect(unread("a.txt", { verdict: { kind: "fits" } as never })).toBeNull();
  });

  test("of a name is one of the known, or a file of one's own", async () => {
    const known = [{ name: "one" }, { name: "two" }];
    const of = (name: string, parse: (text: string) => { name: string } | string = () => ({ name: "own" })) =>
      namedOrOwn("profile", name, known, parse);
    expect([await of("one"), await of("two")]).toEqual(known);
    await expect(of("three")).rejects.toThrow('--profile: there is no "three"; give one, two or a .json file');
    const own = await laid("own.json", "{}");
    expect(await of(own)).toEqual({ name: "own" });
    await expect(of(own, () => "it has no rule")).rejects.toThrow("--profile own.json: it has no rule");
  });
});

describe("a file's fingerprint", () => {
  test("changes with its size, its start, its middle and its end", async () => {
    const size = 4 * 65_536;
    const of = async (change: (bytes: Buffer) => void, length = size) => {
      const bytes = Buffer.alloc(length, 1);
      change(bytes);
      return fileFingerprint(await laid("film", bytes));
    };
    const prints = [
      await of(() => undefined),
      await of(() => undefined, size + 1),
      await of((bytes) => bytes.fill(2, 0, 1)),
      await of((bytes) => bytes.fill(2, 65_535, 65_536)),
      await of((bytes) => bytes.fill(2, size / 2, size / 2 + 1)),
      await of((bytes) => bytes.fill(2, size - 1)),
    ];
    expect(new Set(prints).size).toBe(prints.length);
    expect(await of(() => undefined)).toBe(prints[0]);
    // What lies between the places that are looked at does not count.
    expect(await of((bytes) => bytes.fill(2, 65_536, 65_537))).toBe(prints[0]);
    await expect(fileFingerprint(join(await temporaryFolder(), "none"))).rejects.toMatchObject({
      code: "file_not_found",
    });
  });
});

describe("a timeline file", () => {
  const size = { width: 1920, height: 1080 };
  const { signal } = new AbortController();
  const film = (name: string, more: object = {}) => madeMedia(name, { hasVideo: true, audioChannels: 2, ...more });

  async function opened(
    tracks: Parameters<typeof madeTimeline>[0],
    more: object = { frameSize: size },
    media = ["a.mp4", "b.mp4"],
  ) {
    const folder = await temporaryFolder();
    for (const name of media) await writeFile(join(folder, name), name);
    const path = join(folder, "cut.xml");
    await writeFile(path, writeFcp7Xml(madeTimeline(tracks, more)));
    return { folder, path, opening: openTimeline(path, signal) };
  }

  /** What a timeline has rendered when all of it is exported. */
  async function ordersOf(timeline: OpenedTimeline, folder: string): Promise<readonly CutOrder[]> {
    const orders: CutOrder[] = [];
    const renderCut = async (order: CutOrder) => {
      orders.push(order);
      await writeFile(order.output, "cut");
    };
    Object.assign(engine, { renderCut });
    onTestFinished(() => void Object.assign(engine, openEngine()));
    await timeline.hostIn(folder, (path) => path).exportSequence({ range: "whole" } as never, { signal });
    return orders;
  }

  test("is as long as its cut, and names every file that is seen or heard in it, once", async () => {
    const { folder, opening } = await opened([
      madeTrack("video", [
        madeClip(film("a.mp4"), 0, 10),
        madeClip(film("b.mp4"), 10, 14),
        madeClip(film("a.mp4"), 14, 15),
      ]),
    ]);
    const { durationSeconds, mediaPaths, outputName, notices } = await opening;
    expect([durationSeconds, mediaPaths, outputName, notices]).toEqual([
      15,
      ["a.mp4", "b.mp4"].map((name) => join(folder, name)),
      "timeline.xml",
      [],
    ]);
  });

  test("has another fingerprint where any of its files, or its cut, is another", async () => {
    const tracks = (end: number) => [
      madeTrack("video", [madeClip(film("a.mp4"), 0, 10), madeClip(film("b.mp4"), 10, end)]),
    ];
    const first = await opened(tracks(14));
    const print = await (await first.opening).programmeFingerprint();
    expect(await (await (await opened(tracks(14))).opening).programmeFingerprint()).toBe(print);
    expect(await (await (await opened(tracks(15))).opening).programmeFingerprint()).not.toBe(print);
    await writeFile(join(first.folder, "b.mp4"), "another");
    expect(await (await first.opening).programmeFingerprint()).not.toBe(print);
  });

  test.each([
    [
      "media that are missing",
      [madeTrack("video", [madeClip(film("a.mp4"), 0, 10), madeClip(film("gone.mp4"), 10, 14)])],
      "file_not_found",
    ],
    ["no clip", [madeTrack("video", [])], "sequence_empty"],
    ["sound alone", [madeTrack("audio", [madeClip(film("a.mp4"), 0, 10)])], "no_video_stream"],
    ["more than a day", [madeTrack("video", [madeClip(film("a.mp4"), 0, 86_401)])], "file_unreadable"],
  ] as const)("with %s is refused", async (_name, tracks, code) => {
    const { opening } = await opened(tracks);
    await expect(opening).rejects.toMatchObject({ code });
  });

  test("of a day to the second is taken", async () => {
    const { opening } = await opened([madeTrack("video", [madeClip(film("a.mp4"), 0, 86_400)])]);
    expect((await opening).durationSeconds).toBe(86_400);
  });

  test("says how much sound runs backwards, and is none where its text holds none", async () => {
    const reverse = { speed: -1, sourceStart: 10 };
    const { opening } = await opened([
      madeTrack("video", [madeClip(film("a.mp4"), 0, 10)]),
      madeTrack("audio", [madeClip(film("a.mp4"), 0, 5), madeClip(film("b.mp4"), 5, 8, reverse)]),
    ]);
    expect((await opening).notices).toContain("Sound that runs backwards or stands still was not rendered: 1 clips.");
    await expect(readTimelineText(await laid("x.otio", "{}"))).rejects.toMatchObject({
      code: "file_unreadable",
      message: expect.stringMatching(/^"x\.otio" holds no timeline: /),
    });
  });

  test("is rendered no larger than 1280 by 720, in the shape of the sequence, else of its first picture that moves and is known", async () => {
    const shown = async (frameSize: object | undefined, ...media: object[]) => {
      const clips = media.map((more, index) => madeClip(film(`${"ab"[index]}.mp4`, more), 10 * index, 10 * index + 10));
      const { opening, folder } = await opened(
        [madeTrack("video", clips)],
        frameSize === undefined ? {} : { frameSize },
      );
      const orders = await ordersOf(await opening, folder);
      return orders.map((order) => [order.size.width, order.size.height, order.pictures.length]);
    };
    expect(await shown(size, {})).toEqual([[1280, 720, 1]]);
    expect(await shown({ width: 720, height: 576 }, {})).toEqual([[720, 576, 1]]);
    expect(await shown({ width: 1080, height: 1920 }, {})).toEqual([[406, 720, 1]]);
    expect(await shown({ width: 4096, height: 20 }, {}, {})).toEqual([[1280, 16, 2]]);
    expect(await shown(undefined, {}, { frameSize: { width: 640, height: 480 } })).toEqual([[640, 480, 2]]);
  });

  test("of a still and a film, neither with a stated shape, is rendered in the film's own", async () => {
    Object.assign(engine, openEngine({ run: runHere }));
    const folder = await temporaryFolder();
    await writeFile(join(folder, "a.png"), "a still");
    await copyFile(SAMPLE_CLIP, join(folder, "b.mp4"));
    const clips = [
      madeClip(madeMedia("a.png", { hasVideo: true, audioChannels: 0, isStill: true }), 0, 5),
      madeClip(film("b.mp4"), 5, 9),
    ];
    const path = join(folder, "cut.otio");
    await writeFile(path, writeOtio(madeTimeline([madeTrack("video", clips)], {})));
    expect((await readTimelineText(path)).timeline.tracks[0]?.clips[0]?.source).toMatchObject({ isStill: true });
    const [order] = await ordersOf(await openTimeline(path, signal), folder);
    const { frameSize } = await openProgramme(SAMPLE_CLIP, signal);
    expect(order?.size).toEqual(frameSize);
  });

  test("has another fingerprint as a source where it, or any of its files, is another", async () => {
    const clips = [madeClip(film("a.mp4"), 0, 10), madeClip(film("b.mp4"), 10, 14)];
    const { folder, path } = await opened([madeTrack("video", clips)]);
    const prints = [await (await openSource(path, signal)).fingerprint()];
    for (const name of ["a.mp4", "b.mp4", "cut.xml"]) {
      await appendFile(join(folder, name), "\n");
      prints.push(await (await openSource(path, signal)).fingerprint());
    }
    expect(new Set(prints).size).toBe(4);
    expect(await (await openSource(path, signal)).fingerprint()).toBe(prints.at(-1));
  });

  test("is changed by every step of a plan, whichever group it is in, in its own format and in the other", () => {
    const timeline = madeTimeline([madeTrack("video", [madeClip(film("a.mp4"), 0, 10)])], {});
    const marker = (start: number, comment: string) =>
      ({ kind: "add-marker", cueId: comment, start, duration: 1, name: comment, comment, colour: "green" }) as const;
    const sound = { path: "/c.wav", clipName: "aside-c", start: 5, durationSeconds: 2 };
    const plan = {
      sequenceId: "s",
      groups: [
        { label: "one", steps: [marker(1, "A"), marker(3, "B")] },
        { label: "two", steps: [marker(5, "C"), { kind: "place-audio", ...sound } as const] },
      ],
    };
    for (const [format, write] of [
      ["otio", writeOtio],
      ["fcp7-xml", writeFcp7Xml],
    ] as const) {
      for (const into of ["otio", "fcp7-xml"]) {
        const text = textAfterPlan({ format, text: write(timeline), timeline }, plan, into);
        const { markers = [], tracks = [] } = parseTimeline(text).timeline ?? {};
        const clips = tracks.flatMap(({ kind, clips }) => (kind === "audio" ? clips.map(({ name }) => name) : []));
        const comments = markers.map(({ comment }) => comment);
        expect([format, into, comments, clips]).toEqual([format, into, ["A", "B", "C"], ["aside-c"]]);
      }
    }
  });

  test("of a result stands in its folder under each of its names", () => {
    expect(timelineFilesIn("/out").map(({ path }) => path)).toEqual(["/out/timeline.otio", "/out/timeline.xml"]);
  });
});
