import { expect, test } from "vitest";
import { editFcp7Xml, type TimelineEdit } from "../../src/formats/index.ts";
import { parseXml } from "../../src/formats/xml/parse-xml.ts";
import { childAt, childElements, descendantsNamed, type XmlElement } from "../../src/formats/xml/xml-element.ts";

// What an edit makes of documents that hold little, to the letter.

const sequenceOf = (inner: string) =>
  `<xmeml version="4">\n\t<sequence id="s">\n\t\t<rate><timebase>25</timebase></rate>${inner}\n\t</sequence>\n</xmeml>\n`;
const textAfter = (text: string, edit: TimelineEdit) => {
  const result = editFcp7Xml(text, edit);
  if (!result.ok) throw new Error("not edited");
  return result.text;
};
function rootOf(text: string): XmlElement {
  const { root } = parseXml(text);
  if (root === null) throw new Error("no document");
  return root;
}

const MARKER = { start: 1, end: 2, name: "m", comment: "c" };
const WRITTEN =
  "\n\t\t<marker>\n\t\t\t<comment>c</comment>\n\t\t\t<name>m</name>\n\t\t\t<in>25</in>\n\t\t\t<out>50</out>\n\t\t</marker>";
const narration = (names: readonly string[], location = "/n.wav") => ({
  trackName: "AD",
  addClips: names.map((name, index) => ({
    ...{ name, start: index * 2 },
    media: { name: "n.wav", location, durationSeconds: 1, audioChannels: 1 },
  })),
});

test("renames a sequence, and names one that has no name, as its first child", () => {
  const old = sequenceOf("\n\t\t<name>old</name>\n\t\t<x/>");
  expect(textAfter(old, { newName: "a & b" })).toBe(old.replace("old", "a &amp; b"));
  const bare = sequenceOf("\n\t\t<x/>");
  expect(textAfter(bare, { newName: "new" })).toBe(bare.replace('id="s">', "$&\n\t\t<name>new</name>"));
});

test.each([
  ["", '<sequence id="s">'],
  ["\n\t\t<name>n</name>\n\t\t<x/>", "<name>n</name>"],
  ["\n\t\t<media/>\n\t\t<name>n</name>\n\t\t<x/>", "<name>n</name>"],
  ["\n\t\t<name>n</name>\n\t\t<media/>\n\t\t<x/>", "<media/>"],
  ["\n\t\t<name>n</name>\n\t\t<media/>\n\t\t<timecode/>\n\t\t<x/>", "<timecode/>"],
  ["\n\t\t<timecode/>\n\t\t<name>n</name>\n\t\t<media/>\n\t\t<x/>", "<media/>"],
  ["\n\t\t<marker><in>1</in></marker>\n\t\t<timecode/>", "<marker><in>1</in></marker>"],
])("puts a marker into %j behind %s", (inner, before) => {
  const text = sequenceOf(inner);
  expect(textAfter(text, { addMarkers: [MARKER] })).toBe(text.replace(before, `$&${WRITTEN}`));
});

test("takes a marker out with its line where it stands alone on it, else by itself, and leaves the others", () => {
  const one = "<marker><in>1</in></marker>";
  const removed = (inner: string, ...ids: readonly string[]) =>
    textAfter(sequenceOf(inner), { removeMarkers: ids })
      .replace(sequenceOf("|").split("|")[0] ?? "", "")
      .split("\n\t</")[0];
  expect(removed(`\n\t\t${one}\n\t\t<x/>`, "marker-0")).toBe("\n\t\t<x/>");
  expect(removed(`\n\t\t${one} \t\r\n\t\t<x/>`, "marker-0")).toBe("\n\t\t<x/>");
  expect(removed(`\n\t\t<x/>${one}\n\t\t<y/>`, "marker-0")).toBe("\n\t\t<x/>\n\t\t<y/>");
  expect(removed(`\n\t\t${one}<x/>`, "marker-0")).toBe("\n\t\t<x/>");
  expect(removed(`\n\t\t${one}\n\t\t<marker><in>2</in></marker>\n\t\t<x/>`, "marker-1")).toBe(`\n\t\t${one}\n\t\t<x/>`);
});

test("switches a track by the word that it has, or by one at its end", () => {
  const tracks =
    "\n\t\t<media><video><track><enabled>TRUE</enabled></track></video><audio><track/><track><x/></track></audio></media>";
  const muted = (...indices: readonly number[]) =>
    textAfter(sequenceOf(tracks), { muteTracks: indices.map((trackIndex) => ({ trackIndex, isMuted: true })) });
  const off = "\n\t\t\t<enabled>FALSE</enabled>";
  expect(muted(0)).toBe(sequenceOf(tracks.replace("TRUE", "FALSE")));
  expect(muted(1)).toBe(sequenceOf(tracks.replace("<track/>", `<track>${off}\n\t\t</track>`)));
  expect(muted(2, 7)).toBe(sequenceOf(tracks.replace("<x/>", `<x/>${off}`)));
});

test.each([
  ["", ["media", "rate"], ["audio"]],
  ["\n\t\t<name>n</name><x/>", ["rate", "name", "media", "x"], ["audio"]],
  ["\n\t\t<media/>", ["rate", "media"], ["audio"]],
  ["\n\t\t<media><video/><x/></media>", ["rate", "media"], ["video", "x", "audio"]],
  ["\n\t\t<media><audio/></media>", ["rate", "media"], ["audio"]],
])("makes room for narration in %j", (inner, ofSequence, ofMedia) => {
  const text = textAfter(sequenceOf(inner), { audio: narration(["n"]) });
  const sequence = childAt(rootOf(text), "sequence");
  const names = (element: XmlElement | undefined) =>
    element === undefined ? [] : childElements(element).map(({ name }) => name);
  expect(names(sequence)).toEqual(ofSequence);
  const media = childAt(sequence, "media");
  expect(names(media)).toEqual(ofMedia);
  expect(names(childAt(media, "audio"))).toEqual(["numOutputChannels", "format", "outputs", "track"]);
  expect(parseXml(text).faults).toEqual([]);
});

test("writes narration as Premiere does: each channel on a track, tied to the other", () => {
  const addClips = [
    { name: "n", start: 2, media: { name: "n.wav", location: "/n.wav", durationSeconds: 1, audioChannels: 2 } },
  ];
  const text = textAfter(sequenceOf("<media><audio><track/></audio></media>"), {
    audio: { trackName: "AD", addClips },
  });
  const rate = "<rate><timebase>25</timebase><ntsc>FALSE</ntsc></rate>";
  const link = (id: number, track: number) =>
    `<link><linkclipref>clipitem-aside-${id}</linkclipref><mediatype>audio</mediatype><trackindex>${track}</trackindex><clipindex>1</clipindex><groupindex>1</groupindex></link>`;
  const file = `<name>n.wav</name><pathurl>file://localhost/n.wav</pathurl>${rate}<duration>25</duration><timecode>${rate}<string>00:00:00:00</string><frame>0</frame><displayformat>NDF</displayformat></timecode><media><audio><samplecharacteristics><depth>16</depth><samplerate>48000</samplerate></samplecharacteristics><channelcount>2</channelcount></audio></media>`;
  const track = (channel: number, fileNode: string) =>
    `<track MZ.TrackName="AD" currentExplodedTrackIndex="${channel}" totalExplodedTrackCount="2" premiereTrackType="Stereo">` +
    `<clipitem id="clipitem-aside-${channel + 2}" premiereChannelType="stereo"><masterclipid>master-file-aside-1</masterclipid><name>n</name><enabled>TRUE</enabled><duration>25</duration>${rate}` +
    `<start>50</start><end>75</end><in>0</in><out>25</out>${fileNode}<sourcetrack><mediatype>audio</mediatype><trackindex>${channel + 1}</trackindex></sourcetrack>${link(2, 2)}${link(3, 3)}</clipitem>` +
    `<enabled>TRUE</enabled><locked>FALSE</locked><outputchannelindex>${channel + 1}</outputchannelindex></track>`;
  expect(text.replace(/\s*\n\s*/g, "")).toContain(
    `<track/>${track(0, `<file id="file-aside-1">${file}</file>`)}${track(1, '<file id="file-aside-1"/>')}</audio>`,
  );
});

test("adds a track of narration behind the tracks, else behind all that the sound says of itself", () => {
  const childrenOf = (sound: string) => {
    const text = textAfter(sequenceOf(`<media><audio>${sound}</audio></media>`), { audio: narration(["n"]) });
    const audio = childAt(rootOf(text), "sequence", "media", "audio");
    return audio === undefined ? [] : childElements(audio).map((one) => one.attributes.get("MZ.TrackName") ?? one.name);
  };
  expect(childrenOf("<format/><outputs/>")).toEqual(["format", "outputs", "AD"]);
  expect(childrenOf("<format/><track/><x/>")).toEqual(["format", "track", "AD", "x"]);
});

test("gives clips and files ids that nothing in the document has, one for each file", () => {
  const text = sequenceOf('<media><audio><track id="clipitem-aside-2"/><track id="file-aside-1"/></audio></media>');
  const ids = (location: string) => {
    const clips = [
      ...descendantsNamed(rootOf(textAfter(text, { audio: narration(["a", "b"], location) })), "clipitem"),
    ];
    return clips.map((clip) => [clip.attributes.get("id"), childAt(clip, "file")?.attributes.get("id")]);
  };
  expect(ids("/n.wav")).toEqual([
    ["clipitem-aside-3", "file-aside-2"],
    ["clipitem-aside-4", "file-aside-2"],
  ]);
});

test("a file that only clips that go write out is written out by the next one that names it", () => {
  const clip = (id: string, file: string) =>
    `<clipitem id="${id}"><name>${id}</name><start>0</start><end>5</end>${file}</clipitem>`;
  const whole = '<file id="f"><name>n.wav</name></file>';
  const named = '<file id="f"/>';
  const tracks = (first: string, second: string, third = "") =>
    sequenceOf(
      `<media><audio><track MZ.TrackName="AD">${clip("a", first)}${clip("b", second)}</track><track>${third}</track></audio></media>`,
    );
  const without = (text: string, ...names: readonly string[]) =>
    textAfter(text, { audio: { trackName: "AD", removeClips: names } });
  expect(without(tracks(whole, named), "a")).toBe(
    tracks(whole, named).replace(clip("a", whole), "").replace(named, whole),
  );
  expect(without(tracks(whole, named), "b")).toBe(tracks(whole, named).replace(clip("b", named), ""));
  expect(without(tracks(whole, named), "a", "b")).toBe(
    sequenceOf('<media><audio><track MZ.TrackName="AD"></track><track></track></audio></media>'),
  );
  const other = tracks(whole, named, clip("c", named));
  expect(without(other, "a", "b")).toBe(
    tracks(whole, named, clip("c", whole)).replace(clip("a", whole) + clip("b", named), ""),
  );
  // Clips of that name on a track of another stay.
  expect(without(other, "c")).toBe(other);
});

test("a track of another name is ours where all its clips have our names, with its further channels", () => {
  const clip = (id: string) => `<clipitem id="${id}"><name>${id}</name><start>0</start><end>5</end></clipitem>`;
  const track = (inner: string, channel = 0) => `<track currentExplodedTrackIndex="${channel}">${inner}</track>`;
  const text = (...tracks: readonly string[]) => sequenceOf(`<media><audio>${tracks.join("")}</audio></media>`);
  const without = (...tracks: readonly string[]) =>
    textAfter(text(...tracks), { audio: { trackName: "AD", removeClips: ["a", "b"] } });
  const mixed = track(clip("a") + clip("x"));
  expect(without(mixed, track(""), track(clip("a")), track(clip("b"), 1), track(clip("a")))).toBe(
    text(mixed, track(""), track(""), track("", 1), track(clip("a"))),
  );
});
