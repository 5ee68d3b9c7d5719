import { expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { convertCues, readDocument } from "../../src/formats/index.ts";
import { parseXml } from "../../src/formats/xml/parse-xml.ts";
import { childElements, childrenNamed, type XmlElement } from "../../src/formats/xml/xml-element.ts";

const GRID = { rate: frameRate(30_000, 1001), isDropFrame: true, startFrame: 107_892 };
const at = (frame: number) => (frame * 1001) / 30_000;
const CUES = [
  { id: "a", start: at(30), end: at(90), text: "She <waits> & listens." },
  { id: "b", start: at(60), end: at(120), text: "Behind her, a door." },
  { id: "c", start: at(120), end: at(150), text: "It opens." },
];
const written = convertCues(
  { format: null, cues: CUES, language: "de-DE", title: "Ferry", issues: [], extras: [] },
  { format: "fcpxml", grid: GRID },
);
const gap = descend(parseXml(written.text).root, ["library", "event", "project", "sequence", "spine", "gap"]);
const attributes = (name: string) => childrenNamed(gap, name).map((one) => Object.fromEntries(one.attributes));

function descend(root: XmlElement | null, path: readonly string[]): XmlElement {
  const found = path.reduce(
    (element, name) => (element === null ? null : (childrenNamed(element, name)[0] ?? null)),
    root,
  );
  if (found === null) throw new Error(`there is no ${path.join("/")}`);
  return found;
}

test("each cue is a marker at its timecode, in exact fractions, and what is connected stands before the markers", () => {
  expect(attributes("marker")[0]).toEqual({
    start: `${(107_892 + 30) * 1001}/30000s`,
    duration: `${60 * 1001}/30000s`,
    value: "She <waits> & listens.",
  });
  expect(childElements(gap).map(({ name }) => name)).toEqual(["caption", "caption", "marker", "marker", "marker"]);
});

test("captions never overlap: a cue under another is a marker alone, and that is a loss", () => {
  expect(attributes("caption").map(({ name, role }) => [name, role])).toEqual([
    ["She <waits> & listens.", "iTT?captionFormat=ITT.de-DE"],
    ["It opens.", "iTT?captionFormat=ITT.de-DE"],
  ]);
  const styles = [...written.text.matchAll(/ id="(ts\d+)"/g)].map(([, id]) => id);
  expect(new Set(styles).size).toBe(2);
  expect(written.losses.map(({ code, count }) => [code, count])).toEqual([
    ["identifiers", 3],
    ["overlap", 1],
  ]);
});

test("it is read back on its own grid, drop-frame, under its title", () => {
  const read = readDocument(written.text);
  expect(read).toMatchObject({ format: "fcpxml", title: "Ferry", grid: GRID });
  expect(read.cues.map(({ start, end, text }) => [start, end, text])).toEqual(
    CUES.map(({ start, end, text }) => [start, end, text]),
  );
});
