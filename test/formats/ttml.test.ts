import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { planDucking } from "../../src/core/duck-plan.ts";
import { frameRate } from "../../src/core/frame-rate.ts";
import { parseTtml, readDocument, writeDapt } from "../../src/formats/index.ts";
import { corpusJson, corpusPaths, corpusText } from "../corpus/corpus-files.ts";

/** The schema of the profile, its parts beside it, and a stand-in for the metadata types it does not bring. */
function schema() {
  const stub =
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:ebu:tt:metadata" elementFormDefault="qualified">' +
    '<xs:element name="sourceMediaIdentifier" type="xs:anyURI"/></xs:schema>';
  const parts = corpusPaths("dapt/schema").map((path) => {
    const fileName = path.slice("dapt/schema/".length);
    // One part includes itself, which libxml2 refuses.
    const contents = corpusText(path).replace(`<xs:include schemaLocation="${fileName}"/>`, "");
    return { fileName, contents };
  });
  return {
    schema: parts.filter((part) => part.fileName === "dapt.xsd"),
    preload: [...parts, { fileName: "ebu-tt-m-xsd/ebu-tt-metadata.xsd", contents: stub }],
  };
}

async function faultsOf(contents: string): Promise<string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: "dapt.ttml", contents }], ...schema() });
  return errors.map((error) => error.message);
}

const CUES = [
  { id: "cue-0001", start: 7, end: 8.5, text: 'A sign: "Lake & Co" <closed>.' },
  { id: "k3f9", start: 3600.001, end: 3601, text: "Later" },
];

const RECORDING = { name: "My film & more.wav", offsetSeconds: 8.008 };
const { glides: GLIDES } = planDucking(
  [{ cueId: "a", start: 4, end: 6.5, narrationLufs: -23, programmeLufs: -23 }],
  [{ start: 0, end: 9 }],
);

test.each([
  ['daptm:scriptType="preRecording"', 'daptm:scriptType="x"'],
  [' daptm:scriptRepresents="visual.nonText visual.text"', ""],
  ["<body>", "<body><p>x</p>"],
])("the published schema refuses what we write once %s is %s", async (right, wrong) => {
  expect(await faultsOf(writeDapt(CUES).replace(right, wrong))).not.toEqual([]);
});

test("writes DAPT that is valid against the published schema, in every variant", async () => {
  const rate = frameRate(30000, 1001);
  for (const writing of [
    {},
    { language: "de-DE", title: "Harbour & co", scriptType: "asRecorded" as const },
    { grid: { rate: frameRate(25), isDropFrame: false, startFrame: 90000 } },
    { grid: { rate, isDropFrame: false, startFrame: 108000 } },
    { grid: { rate, isDropFrame: true, startFrame: 107892 } },
    { scriptType: "asRecorded" as const, recording: RECORDING },
    { scriptType: "asRecorded" as const, recording: RECORDING, glides: GLIDES },
  ]) {
    expect(await faultsOf(writeDapt(CUES, writing))).toEqual([]);
  }
  expect(await faultsOf(writeDapt([]))).toEqual([]);
});

test("an as-recorded script refers to its stretch of the narration, and fades the programme around it", () => {
  const cues = [{ id: "a", start: 4, end: 6.5, text: "She stands." }];
  const text = writeDapt(cues, { scriptType: "asRecorded", recording: RECORDING, glides: GLIDES });
  expect(text).toContain('<div xml:id="a" begin="3.85s" end="7s"');
  expect(text).toContain(
    '<audio begin="0.15s" end="2.65s" src="My%20film%20%26%20more.wav" type="audio/wave" clipBegin="12.008s" clipEnd="14.508s" tta:gain="1" tta:pan="0"/>',
  );
  // W3C's own example has 1;0.39 for such a fade: 10 dB are 0.316.
  expect(text).toContain(
    '<animate begin="0s" end="0.15s" tta:gain="1;0.9571;0.8448;0.7009;0.5623;0.4512;0.3743;0.3304;0.3162" fill="freeze"/>',
  );
  expect(text).toContain(
    '<animate begin="2.65s" end="3.15s" tta:gain="0.3162;0.3304;0.3743;0.4512;0.5623;0.7009;0.8448;0.9571;1" fill="freeze"/>',
  );
  // The words keep their own time, whoever reads them.
  expect(parseTtml(text)).toMatchObject({ cues, issues: [] });
  expect(writeDapt(cues)).not.toMatch(/<audio|<animate/);
});

test("descriptions over each other get no fades, which would add up, and one at the start begins at 0", () => {
  const over = [
    { id: "a", start: 4, end: 6.5, text: "One." },
    { id: "b", start: 6, end: 7, text: "Two." },
  ];
  expect(writeDapt(over, { glides: GLIDES })).not.toContain("<animate");
  const early = [{ id: "a", start: 0, end: 1, text: "One." }];
  const { glides } = planDucking([{ cueId: "a", start: 0, end: 1, narrationLufs: -23, programmeLufs: -23 }], []);
  const text = writeDapt(early, { glides });
  expect(text).toContain('begin="0s" end="1.5s"');
  expect(parseTtml(text)).toMatchObject({ cues: early, issues: [] });
});

test("what is written reads back: cues and language, with script type and timecode of the start", () => {
  const grid = { rate: frameRate(25), isDropFrame: false, startFrame: 90000 };
  const text = writeDapt(CUES, { language: "de-DE", grid });
  const read = parseTtml(text);
  expect(read).toMatchObject({
    cues: CUES,
    issues: [],
    language: "de-DE",
  });
  expect(text).toContain('daptm:scriptType="preRecording"');
  expect(text).toContain("<daptm:daptOriginTimecode>01:00:00:00</daptm:daptOriginTimecode>");
  expect(readDocument(text)).toMatchObject({ format: "ttml", language: "de-DE" });
});

test("ids that are no XML names are made into some, each once", async () => {
  const cues = ["1", "1", "a b", "a_b", "-x"].map((id, at) => ({ id, start: at, end: at + 1, text: "x" }));
  expect(await faultsOf(writeDapt(cues))).toEqual([]);
  expect(parseTtml(writeDapt(cues)).cues.map((cue) => cue.id)).toEqual(["cue-1", "cue-1-2", "a_b", "a_b-4", "cue--x"]);
});

test("reads the script events of the specification's own example", () => {
  const { events, cues } = parseTtml(corpusText("dapt/examples/intro-times-and-text-with-visual-text.xml"));
  expect(events.map((event) => [event.id, event.represents])).toEqual([
    ["at1", "visual.text.location"],
    ["a1", "visual.nonText"],
    ["a2", "visual.nonText"],
  ]);
  expect(cues[0]).toEqual({ id: "at1", start: 7, end: 8.5, text: "The Lake District, England" });
});

test("takes the text in the document's language, else the first, and keeps both", () => {
  const text = `<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="fr"><body><div xml:id="a" begin="1s" end="2s">
    <p xml:lang="en"><span>A boat.</span></p><p><span>Un</span><br/>bateau.</p></div></body></tt>`;
  expect(parseTtml(text).cues[0]?.text).toBe("Un bateau.");
  const japanese = text.replace('lang="fr"', 'lang="ja"').replace("<p><span>", '<p xml:lang="fr"><span>');
  expect(parseTtml(japanese).cues[0]?.text).toBe("A boat.");
  expect(parseTtml(text).events[0]?.texts.map((one) => one.language)).toEqual(["en", "fr"]);
});

const body = (inner: string, root = "") =>
  `<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ${root}><body>${inner}</body></tt>`;
const times = (text: string) => parseTtml(text).cues.map((cue) => [cue.start, cue.end]);

test.each([
  ['begin="00:00:01.500" end="00:00:03"', "", [1.5, 3]],
  ['begin="00:00:01:12" end="00:00:02:00"', 'ttp:frameRate="25"', [1.48, 2]],
  ['begin="00:00:01:15" end="00:00:02:00"', "", [1.5, 2]],
  ['begin="30f" end="60f"', 'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"', [1.001, 2.002]],
  ['begin="15t" end="20t"', 'ttp:tickRate="10"', [1.5, 2]],
  ['begin="1500ms" dur="0.5s"', "", [1.5, 2]],
  ['begin="0.025h" end="1.6m"', "", [90, 96]],
  ['begin="00:01:00;02" end="00:01:02:00"', "", null],
])("reads the times %s of a document with %s", (attributes, root, expected) => {
  expect(times(body(`<div><p ${attributes}>x</p></div>`, root))[0] ?? null).toEqual(expected);
});

test("times count from the element around, and end with it", () => {
  const text = body('<div begin="10s" end="14s"><p begin="1s" end="2s">a</p><p begin="3s" end="9s">b</p></div>');
  expect(times(text)).toEqual([
    [11, 12],
    [13, 14],
  ]);
  expect(times(body('<div timeContainer="seq"><p dur="2s">a</p><p dur="3s">b</p></div>'))).toEqual([
    [0, 2],
    [2, 5],
  ]);
});

test("leaves metadata, animation and ruby readings unsaid", () => {
  const p = `<p begin="1s" end="2s"><metadata>no</metadata><animate begin="0s" end="1s"/>Say <span tts:ruby="text">no</span>this</p>`;
  expect(parseTtml(body(p)).cues[0]?.text).toBe("Say this");
});

test("reports paragraphs without a time, broken XML and other documents", () => {
  expect(parseTtml(body("<p>x</p>")).issues.map((issue) => issue.code)).toContain("missing-timing");
  expect(parseTtml("<tt><body><p begin='1s' end='2s'>x</body></tt>").issues.map((issue) => issue.code)).toContain(
    "bad-xml",
  );
  expect(parseTtml("<html/>").issues.map((issue) => issue.code)).toContain("unknown-format");
});

describe("time containers", () => {
  /** Why a file shows words at other times than its reference: each a difference that is stood by. */
  const DEVIATIONS: Readonly<Record<string, string>> = {
    "BasicTiming010.ttml": "a line break without words lasts longer than the words",
    "BeginEnd002.ttml": "the last text has no end; a cue needs one, which is estimated and reported",
    "FixedBeginEnd002.ttml": "the last text has no end; a cue needs one, which is estimated and reported",
    "MediaSeqTiming003.ttml":
      "words that stand in a sequence without an element of their own have no time there, and are kept",
    "MediaSeqTiming007.ttml": "animation of what is displayed is not followed",
  };
  const paths = corpusPaths("exchange/ttml").filter((path) => path.endsWith(".ttml.truth.json"));

  test("17 files have the results of another implementation", () => expect(paths).toHaveLength(17));

  test.each(paths)("%s shows words when the reference does", (path) => {
    const { changes } = corpusJson<{ changes: readonly (readonly [number, boolean])[] }>(path);
    const source = path.replace(".truth.json", "");
    const { cues } = parseTtml(corpusText(source));
    const isShown = (time: number) => cues.some(({ start, end }) => start <= time + 1e-6 && end > time + 1e-6);
    const found = changes.map(([time]) => [time, isShown(time)]);
    if (DEVIATIONS[source.split("/").at(-1) ?? ""] === undefined) expect(found).toEqual(changes);
    else expect(found).not.toEqual(changes);
  });

  test("metadata takes no time among texts that follow each other, and what is never shown is told", () => {
    const { cues, issues } = parseTtml(corpusText("exchange/ttml/MediaSeqTiming004.ttml"));
    expect(cues.map(({ start, end }) => [start, end])).toEqual([
      [5, 10],
      [15, 20],
    ]);
    expect(issues.map(({ code, effect }) => [code, effect])).toEqual([
      ["never-shown", "dropped"],
      ["never-shown", "dropped"],
    ]);
  });
});

test("the grid of a DAPT document comes back as it was written", () => {
  const cues = [{ id: "a", start: 1, end: 2, text: "A door." }];
  for (const grid of [
    { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 },
    { rate: frameRate(24000, 1001), isDropFrame: false, startFrame: 86_400 },
  ]) {
    expect(readDocument(writeDapt(cues, { grid })).grid).toEqual(grid);
  }
  expect(readDocument(writeDapt(cues)).grid).toBeUndefined();
});

describe("what a document says of its events", () => {
  const eventsOf = (inner: string, root = "") => parseTtml(body(inner, root)).events;
  const told = (inner: string, root = "") =>
    parseTtml(body(inner, root)).issues.map(({ code, line, text }) => `${code}@${line} ${text}`.trim());

  test.each([
    ['<p begin="1s">x</p>', 1, null],
    ['<p end="2s">x</p>', 0, 2],
    ['<p dur="2s">x</p>', 0, 2],
    ['<p begin="1s" end="5s" dur="2s">x</p>', 1, 3],
    ['<p begin="1s" end="2s" dur="5s">x</p>', 1, 2],
    ['<div begin="10s" end="12s"><p begin="1s">x</p></div>', 11, 12],
    ['<div begin="10s"><div begin="5s"><p begin="1s" dur="1s">x</p></div></div>', 16, 17],
    ['<div begin="10s" end="20s"><p>x</p></div>', 10, 20],
    ['<div dur="20s"><p>x</p></div>', 0, 20],
    ["<div><p>x</p></div>", null, null],
    ["<p>x</p>", null, null],
    ['<p begin="soon" end="2s">x</p>', null, 2],
    ['<p begin="1s" dur="long">x</p>', null, null],
    ['<div end="never"><p begin="1s">x</p></div>', null, null],
    ['<p begin="1s" end="9s"><span begin="2s" end="3s">x</span> <span begin="4s" end="5s">y</span></p>', 3, 6],
    ['<p begin="1s" end="9s"><span begin="2s" end="3s">x</span><span begin="4s">y</span></p>', 3, 9],
    ['<p><span begin="2s" end="3s">x</span></p>', 2, 3],
    ['<p begin="1s" end="9s"><span begin="2s" end="3s">x</span><span>y</span></p>', 1, 9],
    ['<p begin="1s" end="9s">w <span begin="2s" end="3s">x</span></p>', 1, 9],
    ['<p begin="1s" end="9s"><span begin="2s" end="3s">x</span><span begin="odd">y</span></p>', 1, 9],
    ['<p begin="1s" end="9s"><span begin="2s" end="3s">x</span><span begin="4s" end="4s">y</span></p>', 3, 4],
    ['<p begin="1s" end="9s"><span begin="4s" end="4s">y</span></p>', 1, 9],
    ['<p begin="1s" end="9s"><span begin="2s" end="3s"/><span begin="4s" end="5s">y</span></p>', 5, 6],
    ['<p begin="1s" end="9s" timeContainer="seq"><span begin="2s" end="3s">x</span></p>', 1, 9],
    ['<div begin="1s" end="9s"><p><span begin="2s" end="3s">x</span></p></div>', 3, 4],
    ['<div begin="1s" end="9s"><p><span begin="2s" end="3s">x</span></p><p>y</p></div>', 1, 9],
  ])("%s lasts from %s to %s", (inner, start, end) => {
    expect(eventsOf(inner)).toMatchObject([{ start, end }]);
  });

  test("a division is one event where it alone has a time, else its paragraphs are", () => {
    const textsOf = (inner: string) => eventsOf(inner).map(({ texts }) => texts.map(({ text }) => text));
    expect(textsOf('<div begin="1s"><p>x</p><p>y</p></div>')).toEqual([["x", "y"]]);
    expect(textsOf('<div end="1s"><p>x</p></div>')).toEqual([["x"]]);
    expect(textsOf('<div begin="1s"/>')).toEqual([[]]);
    expect(textsOf('<div begin="1s"><p>x</p><p dur="1s">y</p></div>')).toEqual([["x"], ["y"]]);
    expect(textsOf('<div begin="1s"><p>x</p><div><p>y</p></div></div>')).toEqual([["x"], ["y"]]);
    expect(textsOf("<div><p>x</p><p>y</p></div><q><p>z</p></q>")).toEqual([["x"], ["y"]]);
  });

  test("those that follow each other begin where the one before ended: as it states, or as its content does", () => {
    const startsOf = (inner: string) => eventsOf(inner).map(({ start }) => start);
    const sequence = (inner: string) => `<div timeContainer="seq" begin="10s">${inner}<p dur="1s">last</p></div>`;
    expect(startsOf(sequence('<p begin="1s" end="3s">x</p>'))).toEqual([11, 13]);
    expect(startsOf(sequence('<div><p end="2s">x</p><p end="4s">y</p></div>'))).toEqual([10, 10, 14]);
    expect(startsOf(sequence('<div dur="3s"><p end="9s">x</p></div>'))).toEqual([10, 13]);
    expect(startsOf(sequence('<div end="8s"><p end="2s">x</p></div>'))).toEqual([10, 18]);
    expect(startsOf(sequence('<metadata begin="5s"/><p dur="2s">x</p>'))).toEqual([10, 12]);
    expect(startsOf(sequence('<div timeContainer="par"><p end="2s">x</p><p end="4s">y</p></div>'))).toEqual([
      10, 10, 14,
    ]);
    expect(startsOf(sequence('<div timeContainer="seq"><p dur="2s">x</p><p dur="4s">y</p></div>'))).toEqual([
      10, 12, 16,
    ]);
  });

  test("what it is called, what it stands for, in which language, with which notes and gain", () => {
    const inner = `<div xml:lang="de" daptm:represents="visual.text"><p xml:id="a" begin="1s" end="2s">x</p>
      <div xml:id="b" begin="3s" end="4s" daptm:represents="visual.nonText" tta:gain="0.5"><ttm:desc>one  note</ttm:desc>
        <ttm:desc>two</ttm:desc><p>y<animate tta:gain="0.4;.25; ;x;1"/></p><p xml:lang="fr">z</p></div></div>`;
    expect(eventsOf(inner, 'xml:lang="en"')).toEqual([
      {
        ...{ id: "a", start: 1, end: 2, represents: "visual.text", descriptions: [], line: 1 },
        texts: [{ language: "de", text: "x" }],
      },
      {
        ...{
          id: "b",
          start: 3,
          end: 4,
          represents: "visual.nonText",
          descriptions: ["one note", "two"],
          gain: 0.25,
          line: 2,
        },
        texts: [
          { language: "de", text: "y" },
          { language: "fr", text: "z" },
        ],
      },
    ]);
    expect(eventsOf('<p begin="1s" end="2s">x</p>')).toMatchObject([
      { id: "", represents: "", texts: [{ language: "" }] },
    ]);
    expect(eventsOf('<p begin="1s" tta:gain="">x</p>')[0]).not.toHaveProperty("gain");
  });

  test("what it has beside its words in one language is counted, whichever event it is", () => {
    const event = (id: string, more = "", inner = "") =>
      `<div xml:id="${id}" begin="${id.slice(1)}s" end="9s" ${more}>${inner}<p>x</p></div>`;
    const rich = 'daptm:represents="visual.nonText" tta:gain="0.5"';
    const other = '<ttm:desc>n</ttm:desc><p xml:lang="fr">z</p>';
    const text = `<tt xml:lang="en" xmlns="http://www.w3.org/ns/ttml"><body>${event("e1")}${event("e2", rich, other)}${event("e3", rich, other)}</body></tt>`;
    expect(readDocument(text).extras).toEqual([
      { name: "texts in a further language", count: 2 },
      { name: "gains of the programme", count: 2 },
      { name: "notes", count: 2 },
      { name: "statements of what a cue represents", count: 2 },
    ]);
  });

  test("its words in one language are one text, without those that are empty", () => {
    const wordsOf = (inner: string, root = "") =>
      parseTtml(body(`<div begin="1s" end="2s">${inner}</div>`, root)).cues[0]?.text;
    expect(wordsOf('<p>a</p><p> </p><p>b</p><p xml:lang="fr">c</p>')).toBe("a b");
    expect(wordsOf('<p xml:lang="de">a</p><p xml:lang="fr">c</p>', 'xml:lang="fr"')).toBe("c");
    expect(wordsOf('<p xml:lang="de">a</p><p xml:lang="fr">c</p>', 'xml:lang="en"')).toBe("a");
    expect(
      wordsOf("<p>a<br/>b <metadata>no</metadata><audio>no</audio><span>c<span ruby='text'>no</span></span></p>"),
    ).toBe("a b c");
  });

  test("why one is no cue, with its line and its words", () => {
    expect(told("\n<p>x</p>")).toEqual(["no-cues@0", "missing-timing@2 x"]);
    expect(told('<p begin="soon">x</p>')).toEqual(["no-cues@0", "bad-timing@1 x"]);
    expect(told('<div end="1s">\n\n<p begin="1s" end="2s">x</p></div>')).toEqual(["no-cues@0", "never-shown@3 x"]);
    expect(told('<div end="2s"><p begin="1s" end="2s">x</p></div>')).toEqual([]);
    expect(parseTtml(`<html>${" ".repeat(90)}</html>`).issues.map(({ code, text }) => [code, text])).toEqual([
      ["unknown-format", "<html>"],
      ["no-cues", ""],
    ]);
    expect(parseTtml("").issues.map(({ code }) => code)).toEqual(["unknown-format", "no-cues"]);
    expect(parseTtml("<tt><p begin='1s' end='2s'>x</p></tt>").events).toEqual([]);
    // The body is none, though it has a time and paragraphs without any.
    expect(parseTtml("<tt><body begin='1s' end='2s'><p xml:id='a'>x</p></body></tt>").events).toMatchObject([
      { id: "a", start: 1, end: 2 },
    ]);
  });

  test("the grid that it states: its rate, and its start where it names one that exists", () => {
    const gridOf = (attributes: string, inner = "") => parseTtml(`<tt ${attributes}>${inner}<body/></tt>`).grid;
    const origin = (label: string) =>
      `<head><metadata><daptm:daptOriginTimecode>${label}</daptm:daptOriginTimecode></metadata></head>`;
    const at25 = { rate: frameRate(25), isDropFrame: false };
    expect(gridOf("", origin("01:00:00:00"))).toBeUndefined();
    expect(gridOf('ttp:frameRate="25"')).toEqual({ ...at25, startFrame: 0 });
    expect(gridOf('ttp:frameRate="25"', origin(" 01:00:00:00 "))).toEqual({ ...at25, startFrame: 90_000 });
    expect(gridOf('ttp:frameRate="25"', origin("soon"))).toEqual({ ...at25, startFrame: 0 });
    const deep = (depth: number) => `${"<a>".repeat(depth)}${origin("00:00:01:00")}${"</a>".repeat(depth)}`;
    expect([
      gridOf('ttp:frameRate="25"', deep(1))?.startFrame,
      gridOf('ttp:frameRate="25"', deep(2))?.startFrame,
    ]).toEqual([25, 0]);
    expect(readDocument('<tt xml:lang="und"><body/></tt>')).not.toHaveProperty("language");
    expect(readDocument("<tt><body/></tt>")).not.toHaveProperty("language");
  });
});
