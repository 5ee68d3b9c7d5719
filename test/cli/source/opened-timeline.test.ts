import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SAMPLE_CLIP } from "../../../src/cli/sample.ts";
import { openSource } from "../../../src/cli/source/described-source.ts";
import { type OpenedTimeline, openTimeline } from "../../../src/cli/source/timeline-source.ts";
import { type CutOrder, engine, openEngine } from "../../../src/engine/index.ts";
import { writeFcp7Xml } from "../../../src/formats/fcp7-xml/write-fcp7-xml.ts";
import { parseTimeline } from "../../../src/formats/read-document.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";
import { runHere } from "../../service/tasks-here.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

// A timeline as a host: what of it is rendered, what a plan makes of it, what of it could not be read. Nothing is decoded.

const { signal } = new AbortController();
const FRAME = { frameSize: { width: 1280, height: 720 } };

async function laid(text: string, name = "cut.xml") {
  const folder = await temporaryFolder();
  for (const media of ["a.mp4", "b.mp4", "c.wav"]) await writeFile(join(folder, media), media);
  await writeFile(join(folder, name), text);
  return { folder, path: join(folder, name) };
}

/** Two pictures, and two sounds of which neither is of the first. */
const CUT = madeTimeline(
  [
    madeTrack("video", [madeClip(madeMedia("a.mp4"), 0, 4), madeClip(madeMedia("b.mp4"), 4, 9)]),
    madeTrack("audio", [madeClip(madeMedia("b.mp4"), 0, 5), madeClip(madeMedia("c.wav", { hasVideo: false }), 5, 9)]),
  ],
  FRAME,
);

async function rendered(timeline: OpenedTimeline, folder: string): Promise<readonly CutOrder[]> {
  const orders: CutOrder[] = [];
  const renderCut = async (order: CutOrder) => {
    orders.push(order);
    await writeFile(order.output, "cut");
  };
  Object.assign(engine, { renderCut });
  onTestFinished(() => void Object.assign(engine, openEngine()));
  await timeline.hostIn(folder, (path) => path).exportSequence({ range: "whole" } as never, { signal } as never);
  return orders;
}

test("every picture and every sound of a cut is rendered, from the file that it names", async () => {
  const { folder, path } = await laid(writeFcp7Xml(CUT));
  const timeline = await openTimeline(path, signal);
  expect(timeline.mediaPaths).toEqual(["a.mp4", "b.mp4", "c.wav"].map((name) => join(folder, name)));
  const [order] = await rendered(timeline, folder);
  const shown = (stretches: CutOrder["sounds"] = []) =>
    stretches.map(({ path, start, end }) => [path.slice(folder.length + 1), start, end]);
  expect([shown(order?.pictures), shown(order?.sounds), order?.frames]).toEqual([
    [
      ["a.mp4", 0, 4],
      ["b.mp4", 4, 9],
    ],
    [
      ["b.mp4", 0, 5],
      ["c.wav", 5, 9],
    ],
    225,
  ]);
});

test("a plan is applied to a copy in the folder of the run, which is read again; the timeline itself stays", async () => {
  const text = writeFcp7Xml(CUT);
  const { folder, path } = await laid(text);
  const run = await temporaryFolder();
  const host = (await openTimeline(path, signal)).hostIn(run, (one) => one);
  const steps = ["A", "B"].map(
    (comment, index) =>
      ({
        ...{ kind: "add-marker", cueId: comment, start: 1 + 3 * index, duration: 1, name: comment, comment },
        colour: "green",
      }) as const,
  );
  const { id } = await host.readSequence();
  const report = await host.apply({ sequenceId: id, groups: [{ label: "one", steps }] } as never, { signal });
  expect(report).toMatchObject({ outcome: "done", differences: [] });
  const written = parseTimeline(await readFile(join(run, "cut.xml".replace("cut", "timeline")), "utf8")).timeline;
  expect(written?.markers.map(({ comment }) => comment)).toEqual(["A", "B"]);
  expect(await readFile(join(folder, "cut.xml"), "utf8")).toBe(text);
});

test("of what cannot be read of a timeline each thing that is lost is told, once", async () => {
  const clip = (name: string, offset: number, marker: string) =>
    `<asset-clip ref="r2" name="${name}" offset="${offset}s" start="0s" duration="4s" format="r1">${marker}</asset-clip>`;
  const markers = [
    '<marker start="soon" value="unread"/><marker start="60s" duration="1/25s" value="late"/>',
    '<marker start="70s" duration="1/25s" value="later"/>',
  ];
  const text = `<?xml version="1.0"?><!DOCTYPE fcpxml><fcpxml version="1.9"><resources>
<format id="r1" frameDuration="1/25s" width="1280" height="720"/>
<asset id="r2" name="a" src="./a.mp4" start="0s" duration="100s" hasVideo="1" format="r1"/></resources>
<library><event><project name="Cut"><sequence format="r1" duration="8s" tcStart="0s"><spine>
${markers.map((marker, index) => clip(`clip ${index}`, 4 * index, marker)).join("\n")}
</spine></sequence></project></event></library></fcpxml>`;
  const { path } = await laid(text, "cut.fcpxml");
  const { notices, durationSeconds } = await openTimeline(path, signal);
  expect(durationSeconds).toBe(8);
  expect(notices.filter((line) => line.startsWith("The timeline: "))).toEqual([
    "The timeline: a marker lies outside what its clip shows.",
  ]);
});

test("a film is described on timelines of both kinds", async () => {
  Object.assign(engine, openEngine({ run: runHere }));
  onTestFinished(() => void Object.assign(engine, openEngine()));
  const { timelineNames, notices, durationSeconds, uploadBytes } = await openSource(SAMPLE_CLIP, signal);
  expect([timelineNames, notices]).toEqual([["timeline.otio", "timeline.xml"], []]);
  expect(uploadBytes).toBe((await readFile(SAMPLE_CLIP)).length);
  expect(durationSeconds).toBeGreaterThan(1);
});
