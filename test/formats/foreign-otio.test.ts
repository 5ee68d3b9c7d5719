import { expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { editOtio, parseOtio, type TimelineEdit, writeOtio } from "../../src/formats/index.ts";

// What other writers of OpenTimelineIO do, and ours does not.

const time = (value: number, rate = 24) => ({ OTIO_SCHEMA: "RationalTime.1", value, rate });
const range = (start: number, duration: number, rate = 24) => ({
  OTIO_SCHEMA: "TimeRange.1",
  start_time: time(start, rate),
  duration: time(duration, rate),
});
const clip = (name: string, frames: number, more: object = {}) => ({
  OTIO_SCHEMA: "Clip.2",
  name,
  source_range: range(0, frames),
  ...more,
});
const gap = (frames: number, more: object = {}) => ({ OTIO_SCHEMA: "Gap.1", source_range: range(0, frames), ...more });
const marker = (start: number, more: object = {}) => ({
  OTIO_SCHEMA: "Marker.2",
  name: "m",
  marked_range: range(start, 0),
  ...more,
});
const track = (children: readonly object[], kind = "Audio", more: object = {}) => ({
  OTIO_SCHEMA: "Track.1",
  name: "AD",
  kind,
  children,
  ...more,
});
const document = (children: readonly object[], more: object = {}, stack: object = {}) =>
  JSON.stringify(
    { OTIO_SCHEMA: "Timeline.1", name: "x", ...more, tracks: { OTIO_SCHEMA: "Stack.1", children, ...stack } },
    null,
    2,
  );

function timelineOf(text: string) {
  const { timeline } = parseOtio(text);
  if (timeline === null) throw new Error("no timeline");
  return timeline;
}

const rowsOf = (text: string) =>
  timelineOf(text).tracks.map(({ clips }) =>
    clips.map(({ name, start, end, sourceStart }) => [name, start * 24, end * 24, sourceStart * 24]),
  );

test("markers that all lie behind the last clip count from the start timecode", () => {
  const starts = (start: number, markers: readonly number[], length = 48) =>
    timelineOf(
      document(
        [track([clip("a", length)])],
        { global_start_time: time(start) },
        { markers: markers.map((one) => marker(one)) },
      ),
    ).markers.map((one) => Math.round(one.start * 24));
  expect(starts(86_400, [86_400, 86_424])).toEqual([0, 24]);
  expect(starts(86_400, [86_400, 24])).toEqual([86_400, 24]);
  expect(starts(24, [24, 30])).toEqual([24, 30]);
  expect(starts(48, [60])).toEqual([60]);
  expect(starts(49, [60])).toEqual([11]);
});

test("comments and colours of markers stand where each program puts them", () => {
  const markers = [
    marker(0, { comment: "own", metadata: { Resolve_OTIO: { Note: "no" } } }),
    marker(1, { metadata: { Resolve_OTIO: { Note: "Resolve's" }, fcp_xml: { comment: "no" } } }),
    marker(2, { metadata: { fcp_xml: { comment: "Premiere's" } }, color: "RED" }),
    { OTIO_SCHEMA: "Marker.1", name: "old", range: range(3, 1), color: { name: "Blue" } },
    { OTIO_SCHEMA: "Marker.2", name: "none" },
  ];
  const { timeline, issues } = parseOtio(document([], {}, { markers }));
  expect(timeline?.markers.map(({ comment, colour }) => [comment, colour])).toEqual([
    ["own", undefined],
    ["Resolve's", undefined],
    ["Premiere's", "red"],
    ["", "blue"],
  ]);
  expect(issues.map(({ code, text }) => `${code} ${text}`)).toEqual(["bad-time Marker.2 none"]);
});

test("a track or a stack that shows a part of itself is that part", () => {
  const children = [clip("a", 24), clip("b", 24, { source_range: range(100, 24) }), clip("c", 24)];
  const shown = (more: object, stack: object = {}) => rowsOf(document([track(children, "Video", more)], {}, stack))[0];
  expect(shown({ source_range: range(12, 24) })).toEqual([
    ["a", 0, 12, 12],
    ["b", 12, 24, 100],
  ]);
  expect(shown({}, { source_range: range(30, 12) })).toEqual([["b", 0, 12, 106]]);
  expect(shown({ source_range: range(0, 72) })).toHaveLength(3);
  expect(shown({ source_range: range(-24, 200) })?.map(([, start]) => start)).toEqual([24, 48, 72]);
  expect(shown({ source_range: range(72, 5) })).toHaveLength(3);
});

test("older names of schemas, and what is unknown, are read as far as they go", () => {
  const children = [
    { OTIO_SCHEMA: "Filler.1", source_range: range(0, 10) },
    clip("a", 10),
    { OTIO_SCHEMA: "Odd.1", name: "o", source_range: range(0, 5) },
    clip("b", 5),
  ];
  const text = document([
    { OTIO_SCHEMA: "Sequence.1", kind: "video", children },
    track([], "Subtitle"),
    clip("alone", 7),
  ]);
  expect(rowsOf(text)).toEqual([
    [
      ["a", 10, 20, 0],
      ["b", 25, 30, 0],
    ],
    [["alone", 0, 7, 0]],
  ]);
  expect(parseOtio(text).issues.map(({ code, text }) => `${code} ${text}`)).toEqual([
    "unknown-object Odd.1 o",
    "unknown-object Track.1 AD",
  ]);
});

test("a clip without a range of its own shows its whole media; one without any has no place", () => {
  const media = { OTIO_SCHEMA: "ExternalReference.1", target_url: "a.wav", available_range: range(48, 24) };
  const children = [
    { OTIO_SCHEMA: "Clip.1", name: "a", media_reference: media },
    {
      OTIO_SCHEMA: "Clip.2",
      name: "b",
      source_range: range(60, 12),
      active_media_reference_key: "high",
      media_references: { high: media, DEFAULT_MEDIA: {} },
    },
    { OTIO_SCHEMA: "Clip.2", name: "c" },
    clip("d", 1, { metadata: { Resolve_OTIO: { Channels: [{}, {}, {}] } } }),
  ];
  const text = document([track(children)]);
  expect(rowsOf(text)).toEqual([
    [
      ["a", 0, 24, 0],
      ["b", 24, 36, 12],
      ["d", 36, 37, 0],
    ],
  ]);
  expect(
    timelineOf(text).tracks[0]?.clips.map(({ source }) =>
      source.kind === "media" ? [source.location, source.audioChannels] : [],
    ),
  ).toEqual([
    ["a.wav", 2],
    ["a.wav", 2],
    [null, 3],
  ]);
  expect(parseOtio(text).issues.map(({ code, text }) => `${code} ${text}`)).toEqual(["bad-time Clip.2 c"]);
});

test("pictures in a sequence of files have their number in the address", () => {
  const locationOf = (more: object) => {
    const media = { OTIO_SCHEMA: "ImageSequenceReference.1", name_prefix: "a.", name_suffix: ".exr", ...more };
    const source = timelineOf(
      document([track([clip("a", 1, { media_references: { DEFAULT_MEDIA: media } })], "Video")]),
    ).tracks[0]?.clips[0]?.source;
    return source?.kind === "media" ? source.location : null;
  };
  expect(locationOf({ target_url_base: "file:///x", frame_zero_padding: 4 })).toBe("file:///x/a.%04d.exr");
  expect(locationOf({ target_url_base: "file:///x/" })).toBe("file:///x/a.%d.exr");
  expect(locationOf({})).toBe("a.%d.exr");
});

test("the rate is that of the start, else the commonest one that is of frames; drop-frame as who wrote it says", () => {
  const rateOf = (more: object, children: readonly object[]) => timelineOf(document(children, more)).rate;
  expect(rateOf({ global_start_time: time(0, 25) }, [track([clip("a", 1)])])).toEqual(frameRate(25));
  expect(rateOf({ global_start_time: time(0, 1) }, [track([clip("a", 1)])])).toEqual(frameRate(24));
  const sound = clip("s", 1, { source_range: range(0, 48_000, 48_000) });
  expect(rateOf({}, [track([sound, sound, clip("a", 1, { source_range: range(0, 1, 29.97) })])])).toEqual(
    frameRate(30_000, 1001),
  );
  expect(rateOf({}, [])).toEqual(frameRate(24));
  const isDrop = (metadata: object) =>
    timelineOf(document([], { global_start_time: time(0, 29.97), metadata })).isDropFrame;
  expect([
    isDrop({ fcp_xml: { timecode: { displayformat: "DF" } } }),
    isDrop({ fcp_xml: { timecode: { displayformat: "NDF" } } }),
    isDrop({}),
  ]).toEqual([true, false, false]);
});

test("a timeline is found by its name in a collection of collections, else the first", () => {
  const one = (name: string) => ({ OTIO_SCHEMA: "Timeline.1", name, tracks: { OTIO_SCHEMA: "Stack.1", children: [] } });
  const text = JSON.stringify({
    OTIO_SCHEMA: "SerializableCollection.1",
    children: [one("a"), { OTIO_SCHEMA: "SerializeableCollection.1", children: [one("b")] }],
  });
  expect(["a", "b", "c"].map((name) => parseOtio(text, { name }).timeline?.name)).toEqual(["a", "b", "a"]);
});

test("narration is laid into gaps that hold nothing, and behind what there is; all else stays", () => {
  const add = (children: readonly object[], start: number, frames = 10) => {
    const media = { name: "n.wav", location: "/n.wav", durationSeconds: frames / 24, audioChannels: 1 };
    const result = editOtio(document([track(children)]), {
      audio: { trackName: "AD", removeClips: ["gone"], addClips: [{ name: "n", start: start / 24, media }] },
    });
    if (!result.ok) throw new Error("not edited");
    return [
      ...rowsOf(result.text).map((row) => row.map(([name, from, to]) => `${name} ${from}-${to}`).join(", ")),
      ...result.issues.map(({ code }) => code),
    ];
  };
  expect(add([clip("a", 10), gap(20), clip("b", 10)], 15)).toEqual(["a 0-10, n 15-25, b 30-40"]);
  expect(add([clip("a", 10), gap(20), clip("b", 10)], 10, 20)).toEqual(["a 0-10, n 10-30, b 30-40"]);
  expect(add([clip("a", 10), gap(20), clip("b", 10)], 25)).toEqual(["a 0-10, b 30-40", "n 25-35", "clip-in-the-way"]);
  expect(add([clip("a", 10), gap(20, { markers: [marker(0)] }), clip("b", 10)], 15)).toEqual([
    "a 0-10, b 30-40",
    "n 15-25",
    "clip-in-the-way",
  ]);
  expect(add([clip("a", 10), clip("gone", 20), clip("b", 10)], 15)).toEqual(["a 0-10, n 15-25, b 30-40"]);
  expect(
    add([clip("a", 10), { OTIO_SCHEMA: "Transition.1", in_offset: time(2), out_offset: time(2) }, clip("b", 10)], 20),
  ).toEqual(["a 0-10, b 10-20, n 20-30"]);
  expect(add([clip("a", 10), gap(5)], 12)).toEqual(["a 0-10, n 12-22"]);
  const media = { OTIO_SCHEMA: "ExternalReference.1", target_url: "a.wav", available_range: range(48, 10) };
  const whole = { OTIO_SCHEMA: "Clip.1", name: "w", media_reference: media };
  expect(add([whole, gap(20), clip("b", 10)], 15)).toEqual(["w 0-10, n 15-25, b 30-40"]);
  expect(add([{ OTIO_SCHEMA: "Clip.2", name: "none" }, clip("b", 10)], 10)).toEqual(["b 0-10, n 10-20"]);
  for (const schema of ["Stack.1", "Track.1"]) {
    const stated = { OTIO_SCHEMA: schema, name: "s", children: [], source_range: range(0, 10) };
    expect(add([stated, gap(20), clip("b", 10)], 15), schema).toEqual(["s 0-10, n 15-25, b 30-40"]);
  }
  // Where a child ends that does not say it cannot be told.
  expect(add([track([clip("in", 5)], "Audio", { name: "t" })], 50)).toEqual(["t 0-5", "n 50-60", "clip-in-the-way"]);
  expect(add([{ OTIO_SCHEMA: "Stack.1", name: "s", children: [track([clip("in", 5)])] }], 50)).toEqual([
    "s 0-5",
    "n 50-60",
    "clip-in-the-way",
  ]);
});

test("a row of narration has no gap of ours beside another, none without length and none at its end; those of others stay", () => {
  const TRACK = [
    clip("a", 10),
    gap(20, { name: "theirs" }),
    clip("gone", 10),
    clip("too", 5),
    clip("b", 10),
    clip("gone", 5),
  ];
  const media = (frames: number) => ({
    name: "n.wav",
    location: "/n.wav",
    durationSeconds: frames / 24,
    audioChannels: 1,
  });
  const childrenAfter = (
    children: readonly object[],
    removeClips: readonly string[],
    ...added: readonly (readonly [number, number])[]
  ) => {
    const addClips = added.map(([start, frames]) => ({ name: "n", start: start / 24, media: media(frames) }));
    const result = editOtio(document([track(children)]), { audio: { trackName: "AD", removeClips, addClips } });
    if (!result.ok) throw new Error("not edited");
    const { tracks } = JSON.parse(result.text);
    return tracks.children.map(
      (row: { children: readonly { name?: string; source_range: { duration: { value: number } } }[] }) =>
        row.children.map((one) => `${one.name ?? "gap"} ${one.source_range.duration.value}`).join(", "),
    );
  };
  expect(childrenAfter(TRACK, [])).toEqual(["a 10, theirs 20, gone 10, too 5, b 10, gone 5"]);
  expect(childrenAfter(TRACK, ["gone"])).toEqual(["a 10,  30, too 5, b 10"]);
  expect(childrenAfter(TRACK, ["gone", "too"])).toEqual(["a 10,  35, b 10"]);
  expect(childrenAfter(TRACK, ["b", "gone"])).toEqual(["a 10,  30, too 5"]);
  expect(childrenAfter(TRACK, ["gone"], [10, 20])).toEqual(["a 10, n 20,  10, too 5, b 10"]);
  expect(childrenAfter(TRACK, ["gone"], [32, 8])).toEqual(["a 10,  22, n 8, too 5, b 10"]);
  expect(childrenAfter(TRACK, ["gone"], [60, 5])).toEqual(["a 10,  30, too 5, b 10,  5, n 5"]);
  expect(childrenAfter(TRACK, ["gone"], [55, 5])).toEqual(["a 10,  30, too 5, b 10, n 5"]);
  expect(childrenAfter([clip("a", 10), gap(20, { name: "theirs" })], [])).toEqual(["a 10, theirs 20"]);
  expect(childrenAfter([clip("a", 10), gap(20, { name: "theirs" })], [], [25, 10])).toEqual(["a 10,  15, n 10"]);
  expect(childrenAfter([clip("gone", 10)], ["gone"])).toEqual([""]);
  expect(childrenAfter([], [], [0, 5], [5, 5])).toEqual(["n 5, n 5"]);
  expect(childrenAfter([clip("a", 10)], [], [4, 5])).toEqual(["a 10", " 4, n 5"]);
  expect(childrenAfter([gap(0, { name: "none" }), clip("a", 10)], ["x"])).toEqual(["none 0, a 10"]);
});

test("a list is written in the layout of its document: a step deeper than it, empty ones closed at once", () => {
  const text =
    '{\n  "OTIO_SCHEMA": "Timeline.1",\n  "tracks": {\n    "OTIO_SCHEMA": "Stack.1",\n    "markers": [],\n    "children": []\n  }\n}';
  const edited = (before: string, edit: TimelineEdit) => {
    const result = editOtio(before, edit);
    return result.ok ? result.text : "";
  };
  const one = { name: "m", comment: "", start: 1, end: 2 };
  const added = edited(text, { addMarkers: [one, one] });
  const [head = "", rest = ""] = text.split("[]");
  expect(added.startsWith(`${head}[\n      {\n        "OTIO_SCHEMA": "Marker.2",\n`)).toBe(true);
  expect(added).toContain("\n      },\n      {\n");
  expect(added).toContain(`\n      }\n    ]${rest}`);
  expect(edited(added, { removeMarkers: ["marker-0", "marker-1"] })).toBe(text);
  const line = JSON.stringify(JSON.parse(text));
  expect(edited(line, { addMarkers: [one, one] })).not.toContain("\n");
  expect(edited(edited(line, { addMarkers: [one] }), { removeMarkers: ["marker-0"] })).toBe(line);
});

test("times of many rates are summed up, however many there are", () => {
  const rates = Array.from({ length: 12 }, (_, index) => 20 + index);
  const children = [...rates, ...rates].map((rate, index) =>
    clip(`${index}`, 1, { source_range: range(0, rate, rate) }),
  );
  const starts = timelineOf(document([track(children)])).tracks[0]?.clips.map(
    ({ start }) => Math.round(start * 1e6) / 1e6,
  );
  expect(starts).toEqual(children.map((_, index) => index));
});

test("a transition stands before the clip that it leads into, and none is lost that lies over no cut", () => {
  const media = { kind: "media" as const, name: "m", location: null, hasVideo: true, audioChannels: 0 };
  const one = (name: string, start: number, end: number) => ({
    ...{ name, start, end, isEnabled: true, sourceStart: 0, speed: 1, source: media, effects: [], markers: [] },
  });
  const childrenOf = (...transitions: readonly (readonly [string, number, number])[]) => {
    const text = writeOtio({
      ...{ name: "", rate: frameRate(24), isDropFrame: false, startFrame: 0, markers: [] },
      tracks: [
        {
          ...{ kind: "video", name: "", isEnabled: true, clips: [one("a", 0, 2), one("b", 2, 4), one("c", 5, 6)] },
          transitions: transitions.map(([name, start, end]) => ({ name, start, end })),
        },
      ],
    });
    const [row] = JSON.parse(text).tracks.children;
    return row.children.map((child: { name: string; in_offset?: { value: number }; out_offset?: { value: number } }) =>
      child.in_offset === undefined ? child.name : `${child.name} ${child.in_offset.value}+${child.out_offset?.value}`,
    );
  };
  expect(childrenOf(["t", 1, 2.5])).toEqual(["a", "t 24+12", "b", "", "c"]);
  expect(childrenOf(["u", 4, 4.5], ["t", 0, 0.5])).toEqual(["t 0+12", "a", "b", "u 0+12", "", "c"]);
  expect(childrenOf(["t", 4.5, 5])).toEqual(["a", "b", "", "t 12+0", "c"]);
  expect(childrenOf(["t", 5.5, 6], ["u", 9, 10])).toEqual(["a", "b", "", "c", "t 12+0", "u 0+96"]);
});
