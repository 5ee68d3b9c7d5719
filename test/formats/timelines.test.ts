import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { frameRate, framesFromSeconds } from "../../src/core/frame-rate.ts";
import type { Timeline, TimelineClip } from "../../src/core/timeline.ts";
import {
  editFcp7Xml,
  editOtio,
  parseFcp7Xml,
  parseOtio,
  type TimelineEdit,
  type TimelineEditResult,
  writeFcp7Xml,
  writeOtio,
} from "../../src/formats/index.ts";
import { corpusText } from "../corpus/corpus-files.ts";

const FORMATS = {
  otio: { parse: parseOtio, write: writeOtio, edit: editOtio, sample: "xml/otio/premiere_example.otio" },
  "fcp7-xml": { parse: parseFcp7Xml, write: writeFcp7Xml, edit: editFcp7Xml, sample: "xml/fcp7/premiere_example.xml" },
} as const;
const NAMES = ["otio", "fcp7-xml"] as const;

function timelineOf(name: keyof typeof FORMATS, text: string): Timeline {
  const { timeline, issues } = FORMATS[name].parse(text);
  if (timeline === null) throw new Error(`no timeline: ${JSON.stringify(issues)}`);
  return timeline;
}

function textOf(result: TimelineEditResult): string {
  if (!result.ok) throw new Error(`not edited: ${JSON.stringify(result.issues)}`);
  return result.text;
}

/** What both formats can say of a timeline, in frames. */
function framesOf(timeline: Timeline): unknown {
  const at = (seconds: number) => framesFromSeconds(seconds, timeline.rate);
  const clip = (one: TimelineClip): unknown => ({
    name: one.name,
    range: [at(one.start), at(one.end)],
    source: one.source.kind === "nested" ? framesOf(one.source.timeline) : one.source.kind,
    location: one.source.kind === "media" ? one.source.location : null,
    sourceStart: at(one.sourceStart),
    speed: one.speed,
    isEnabled: one.isEnabled,
    markers: one.markers.map((marker) => [at(marker.start), marker.name]),
  });
  return {
    rate: timeline.rate,
    start: timeline.startFrame,
    tracks: timeline.tracks
      .filter((track) => track.clips.length > 0)
      .map(({ kind, clips, transitions }) => ({
        kind,
        clips: clips.map(clip),
        transitions: transitions.map((one) => [one.name, at(one.start), at(one.end)]),
      })),
    markers: timeline.markers.map((one) => [one.name, one.comment, at(one.start), at(one.end)]),
  };
}

test("an OTIO file and the Final Cut Pro 7 XML it was converted from give the same timeline", () => {
  const fromXml = timelineOf("fcp7-xml", corpusText("xml/fcp7/premiere_example.xml"));
  const fromOtio = timelineOf("otio", corpusText("xml/otio/premiere_example.otio"));
  // The converter laid the overlapping sound of the last track end to end, and left nested sequences empty.
  const emptied = (clip: TimelineClip): TimelineClip =>
    clip.source.kind !== "nested"
      ? clip
      : { ...clip, source: { ...clip.source, timeline: { ...clip.source.timeline, tracks: [], markers: [] } } };
  const comparable = (timeline: Timeline) =>
    framesOf({
      ...timeline,
      tracks: timeline.tracks.slice(0, -1).map((track) => ({ ...track, clips: track.clips.map(emptied) })),
    });
  expect(comparable(fromXml)).toEqual(comparable(fromOtio));
});

test("reads the markers of Premiere's example as its README lists them", () => {
  const { markers, tracks, rate } = timelineOf("fcp7-xml", corpusText("xml/fcp7/premiere_example.xml"));
  expect(markers.map((one) => [framesFromSeconds(one.start, rate), one.name, one.comment])).toEqual([
    [113, "My MArker 1", "so, this happened"],
    [492, "dsf", "fsfsfs"],
    [298, "", ""],
  ]);
  const ofClips = tracks.flatMap((track) => track.clips).flatMap((clip) => clip.markers);
  expect(ofClips.map((one) => framesFromSeconds(one.start, rate))).toEqual([73]);
});

test.each([
  "xml/otio/multitrack.otio",
  "xml/otio/premiere_example.otio",
  "xml/otio/screening_example.otio",
  "xml/otio/transition.otio",
])("writes %s such that it reads back the same", (path) => {
  const timeline = timelineOf("otio", corpusText(path));
  expect(framesOf(timelineOf("otio", writeOtio(timeline)))).toEqual(framesOf(timeline));
});

test.each(["xml/fcp7/premiere_example.xml", "xml/fcp7/hiero_xml_export.xml", "xml/fcp7/sample_just_track.xml"])(
  "writes %s such that it reads back the same",
  (path) => {
    const timeline = timelineOf("fcp7-xml", corpusText(path));
    const text = writeFcp7Xml(timeline);
    expect(XMLValidator.validate(text)).toBe(true);
    expect(framesOf(timelineOf("fcp7-xml", text))).toEqual(framesOf(timeline));
  },
);

const SPEEDS: Timeline = {
  name: "Harbour & <co>",
  rate: frameRate(30000, 1001),
  isDropFrame: true,
  startFrame: 107892,
  frameSize: { width: 1920, height: 1080 },
  markers: [{ start: 0, end: 1001 / 300, name: "1 · 3.3 s", comment: 'A woman\nsits "here" & there.', colour: "red" }],
  tracks: [
    {
      kind: "video",
      name: "V1",
      isEnabled: true,
      transitions: [],
      clips: [1, 2, -1, 0, 0.5].map((speed, index) => ({
        name: `x${speed}`,
        start: (index * 60 * 1001) / 30000,
        end: ((index + 1) * 60 * 1001) / 30000,
        isEnabled: index !== 1,
        sourceStart: (120 * 1001) / 30000,
        speed,
        source: {
          kind: "media",
          name: "a b.mov",
          location: "/Volumes/Ä/a b.mov",
          durationSeconds: (3000 * 1001) / 30000,
          rate: frameRate(30000, 1001),
          hasVideo: true,
          audioChannels: 2,
        },
        effects: [],
        markers: [],
      })),
    },
    { kind: "audio", name: "Empty", isEnabled: false, clips: [], transitions: [] },
  ],
};

test.each(NAMES)("%s keeps speed, stills, reverse, muting, names and drop-frame", (name) => {
  const { write } = FORMATS[name];
  const back = timelineOf(name, write(SPEEDS));
  expect(back).toMatchObject({ name: SPEEDS.name, rate: SPEEDS.rate, isDropFrame: true, startFrame: 107892 });
  const clips = back.tracks[0]?.clips ?? [];
  expect(clips.map((clip) => clip.speed)).toEqual([1, 2, -1, 0, 0.5]);
  expect(clips.map((clip) => framesFromSeconds(clip.sourceStart, back.rate))).toEqual(Array(5).fill(120));
  expect(clips.map((clip) => clip.isEnabled)).toEqual([true, false, true, true, true]);
  expect(back.tracks[1]).toMatchObject({ kind: "audio", name: "Empty", isEnabled: false });
  expect(back.markers).toMatchObject([{ name: "1 · 3.3 s", comment: 'A woman\nsits "here" & there.', colour: "red" }]);
});

const MARKER = { start: 1, end: 3, name: "1 · 2.0 s", comment: "A woman sits.\nAD·k3f9", colour: "red" };
const AUDIO = {
  trackName: "Audio description",
  addClips: [
    {
      name: "AD narration",
      start: 2,
      media: { name: "ad.wav", location: "/tmp/a b/ad.wav", durationSeconds: 4, audioChannels: 2 },
    },
  ],
};

test.each(NAMES)("%s: an edit that changes nothing gives the same text", (name) => {
  const { edit, sample } = FORMATS[name];
  expect(textOf(edit(corpusText(sample), {}))).toBe(corpusText(sample));
});

test.each(NAMES)("%s: adds markers and a narration track, and leaves everything else as it was", (name) => {
  const { edit, sample } = FORMATS[name];
  const text = corpusText(sample);
  const edited = textOf(edit(text, { addMarkers: [MARKER], audio: AUDIO }));
  const before = timelineOf(name, text);
  const after = timelineOf(name, edited);
  expect(after.markers).toHaveLength(before.markers.length + 1);
  expect(after.markers.at(-1)).toMatchObject(MARKER);
  expect(after.tracks.slice(0, -1)).toEqual(before.tracks);
  expect(after.tracks.at(-1)).toMatchObject({
    kind: "audio",
    name: "Audio description",
    clips: [{ name: "AD narration", start: 2, end: 6, sourceStart: 0, source: { audioChannels: 2 } }],
  });
  // What was added can be cut out again, and leaves the text as it was.
  expect(withoutAdded(edited, text)).toBe(true);
});

/** Whether `original` is what is left of `edited` once insertions are taken out, white space aside. */
function withoutAdded(edited: string, original: string): boolean {
  const left = original.replace(/\s+/g, "");
  let at = 0;
  for (const character of edited.replace(/\s+/g, "")) if (character === left[at]) at += 1;
  return at === left.length;
}

test.each(NAMES)("%s: a re-run replaces what is ours and nothing else", (name) => {
  const { edit, sample } = FORMATS[name];
  const once = textOf(edit(corpusText(sample), { addMarkers: [MARKER], audio: AUDIO }));
  const own = timelineOf(name, once).markers.filter((marker) => marker.comment.includes("AD·"));
  const again: TimelineEdit = {
    removeMarkers: own.flatMap((marker) => marker.id ?? []),
    addMarkers: [MARKER],
    audio: { ...AUDIO, removeClips: ["AD narration"] },
  };
  const twice = textOf(edit(once, again));
  expect(timelineOf(name, twice)).toEqual(timelineOf(name, once));
  expect(twice.length).toBeLessThanOrEqual(once.length + 8);
});

test.each(NAMES)("%s: changes and removes markers by the ids the reader gave", (name) => {
  const { edit, sample } = FORMATS[name];
  const text = corpusText(sample);
  const result = edit(text, {
    removeMarkers: ["marker-0", "marker-99"],
    changeMarkers: [{ id: "marker-1", marker: MARKER }],
  });
  expect(timelineOf(name, textOf(result)).markers.map((marker) => marker.name)).toEqual(["1 · 2.0 s", ""]);
  expect(result.issues.map((issue) => [issue.code, issue.text])).toEqual([["unknown-marker", "marker-99"]]);
  const both = ["marker-1", "marker-2"].map((id) => ({ id, marker: { ...MARKER, name: id } }));
  const names = timelineOf(name, textOf(edit(text, { changeMarkers: both }))).markers.map((marker) => marker.name);
  expect(names.slice(1)).toEqual(["marker-1", "marker-2"]);
  const changeMarkers = ["marker-97", "marker-98"].map((id) => ({ id, marker: MARKER }));
  const { issues } = edit(text, { removeMarkers: ["marker-95", "marker-96"], changeMarkers });
  expect(issues.map((issue) => issue.text)).toEqual([95, 96, 97, 98].map((number) => `marker-${number}`));
});

test.each(NAMES)("%s: mutes tracks, all channels of a stereo one, and unmutes them", (name) => {
  const { edit, sample } = FORMATS[name];
  const text = corpusText(sample);
  const count = timelineOf(name, text).tracks.length;
  const trackIndex = count - 1;
  const muted = textOf(edit(text, { muteTracks: [{ trackIndex, isMuted: true }] }));
  expect(timelineOf(name, muted).tracks.map((track) => track.isEnabled)).toEqual(
    Array.from({ length: count }, (_, index) => index !== trackIndex),
  );
  expect(textOf(edit(muted, { muteTracks: [{ trackIndex, isMuted: false }] }))).toBe(text);
});

test.each(NAMES)("%s: puts narration on another track where something stands in its way", (name) => {
  const { edit, sample } = FORMATS[name];
  const once = textOf(edit(corpusText(sample), { audio: AUDIO }));
  const result = edit(once, { audio: { ...AUDIO, addClips: AUDIO.addClips.map((one) => ({ ...one, name: "B" })) } });
  expect(result.issues.map((issue) => issue.code)).toEqual(["clip-in-the-way"]);
  const { tracks } = timelineOf(name, textOf(result));
  expect(tracks.slice(-2).map((track) => track.clips.map((clip) => clip.name))).toEqual([["AD narration"], ["B"]]);
});

test.each(NAMES)(
  "%s: a sound fills the whole frames that it has, one at least, and its file may be offline",
  (name) => {
    const { edit, sample, write } = FORMATS[name];
    const lengthOf = (durationSeconds: number) => {
      const media = { name: "n.wav", location: "/n.wav", durationSeconds, audioChannels: 1 };
      const text = textOf(
        edit(corpusText(sample), { audio: { trackName: "AD", addClips: [{ name: "n", start: 1, media }] } }),
      );
      const { rate, tracks } = timelineOf(name, text);
      const [clip] = tracks.at(-1)?.clips ?? [];
      return clip === undefined ? 0 : framesFromSeconds(clip.end - clip.start, rate);
    };
    const { rate } = timelineOf(name, corpusText(sample));
    const frame = rate.denominator / rate.numerator;
    expect([0.1, 1, 1.9, 2.01].map((frames) => lengthOf(frames * frame))).toEqual([1, 1, 1, 2]);
    const [track] = SPEEDS.tracks;
    const [clip] = track?.clips ?? [];
    if (track === undefined || clip?.source.kind !== "media") throw new Error("no clip");
    const offline = {
      ...SPEEDS,
      tracks: [{ ...track, clips: [{ ...clip, source: { ...clip.source, location: null } }] }],
    };
    expect(write(offline).includes("MissingReference.1")).toBe(name === "otio");
    expect(timelineOf(name, write(offline)).tracks[0]?.clips[0]?.source).toMatchObject({
      kind: "media",
      location: null,
    });
  },
);

test.each(NAMES)("%s: places one clip a cue, in any order, into the room that is free", (name) => {
  const { edit, sample } = FORMATS[name];
  const clip = (start: number) => ({
    name: `AD ${start}`,
    start,
    media: { name: `${start}.wav`, location: `/tmp/${start}.wav`, durationSeconds: 1, audioChannels: 1 },
  });
  const once = textOf(edit(corpusText(sample), { audio: { trackName: "AD", addClips: [clip(9), clip(3), clip(6)] } }));
  const twice = textOf(
    edit(once, { audio: { trackName: "AD", removeClips: ["AD 6"], addClips: [clip(4), clip(7), clip(20)] } }),
  );
  const names = (text: string) =>
    timelineOf(name, text)
      .tracks.at(-1)
      ?.clips.map((one) => [one.name, one.start, one.end]);
  expect(names(once)).toEqual([3, 6, 9].map((at) => [`AD ${at}`, at, at + 1]));
  expect(names(twice)).toEqual([3, 4, 7, 9, 20].map((at) => [`AD ${at}`, at, at + 1]));
});

test.each([
  ["otio", "", "bad-json"],
  ["otio", "{}", "no-timeline"],
  ["otio", '{"OTIO_SCHEMA": "Clip.2"}', "no-timeline"],
  ["fcp7-xml", "", "no-timeline"],
  ["fcp7-xml", "<xmeml><sequence><name>x</xmeml>", "bad-xml"],
  ["fcp7-xml", "<other/>", "no-timeline"],
] as const)("%s: %j is reported as %s, not thrown", (name, text, code) => {
  expect(FORMATS[name].parse(text).issues.map((issue) => issue.code)).toContain(code);
  expect(FORMATS[name].edit(text, { addMarkers: [MARKER] }).ok).toBe(code === "bad-xml");
});

test("never expands entities, and leaves unknown ones as they stand", () => {
  const bomb = `<!DOCTYPE xmeml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><xmeml><sequence><name>&b; &amp; &#65;</name></sequence></xmeml>`;
  expect(timelineOf("fcp7-xml", bomb).name).toBe("&b; & A");
});

test("a sequence that holds itself is read once", () => {
  const text =
    '<xmeml><sequence id="s"><name>x</name><rate><timebase>25</timebase></rate><media><video><track><clipitem><start>0</start><end>5</end><in>0</in><out>5</out><sequence id="s"/></clipitem></track></video></media></sequence></xmeml>';
  expect(timelineOf("fcp7-xml", text).tracks[0]?.clips).toMatchObject([{ source: { kind: "empty" } }]);
});

test("what is written to a document of another's is XML as that application writes it", () => {
  const text = textOf(editFcp7Xml(corpusText("xml/fcp7/premiere_example.xml"), { addMarkers: [MARKER], audio: AUDIO }));
  expect(XMLValidator.validate(text)).toBe(true);
  const parsed = new XMLParser({ ignoreAttributes: false }).parse(text);
  const tracks = parsed.xmeml.sequence.media.audio.track.slice(-2);
  expect(tracks.map((one: Record<string, unknown>) => one["outputchannelindex"])).toEqual([1, 2]);
  expect(tracks[0].clipitem.file.pathurl).toBe("file://localhost/tmp/a%20b/ad.wav");
  expect(tracks[0].clipitem.link).toHaveLength(2);
  expect(tracks[1].clipitem.file["@_id"]).toBe(tracks[0].clipitem.file["@_id"]);
  expect(tracks[1].clipitem.sourcetrack.trackindex).toBe(2);
  expect(parsed.xmeml.sequence.marker.at(-1)).toMatchObject({ in: 30, out: 90, pproColor: 4281740498 });
});

test("OTIO keeps numbers of any size and layout of what it does not touch", () => {
  const text =
    '{"OTIO_SCHEMA":"Timeline.1","metadata":{"big":12345678901234567890,"one":1.0,"odd":NaN},"name":"x","tracks":{"OTIO_SCHEMA":"Stack.1","children":[]}}';
  const edited = textOf(editOtio(text, { addMarkers: [MARKER] }));
  expect(edited).toContain('"metadata":{"big":12345678901234567890,"one":1.0,"odd":NaN}');
  expect(edited).toContain('"rate":24.0');
  expect(timelineOf("otio", edited).markers).toMatchObject([MARKER]);
});
