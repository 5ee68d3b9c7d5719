import { expect, test } from "vitest";
import { framesFromSeconds } from "../../src/core/frame-rate.ts";
import { formatTimecode } from "../../src/core/timecode.ts";
import { parseFcpxml } from "../../src/formats/index.ts";
import { corpusJson, corpusText } from "../corpus/corpus-files.ts";

const timelineOf = (text: string) => {
  const { timeline } = parseFcpxml(text);
  if (timeline === null) throw new Error("no timeline");
  return timeline;
};

test("markers of 25 fps media in a sequence of 24 stand on the frames where Final Cut Pro shows them", () => {
  const path = "exchange/fcpxml/24With25Media.fcpxml";
  const { markers_absolute: expected } = corpusJson<{ markers_absolute: unknown }>(`${path}.truth.json`);
  const timeline = timelineOf(corpusText(path));
  const found = timeline.markers.map(({ start, name }) => [
    formatTimecode(timeline.startFrame + framesFromSeconds(start, timeline.rate), timeline),
    name,
  ]);
  expect(found).toEqual(expected);
});

test("markers inside transitions lie from the transition's start on", () => {
  const path = "exchange/fcpxml/TransitionMarkers1.fcpxml";
  const { markers_absolute_seconds: expected } = corpusJson<{ markers_absolute_seconds: unknown }>(
    `${path}.truth.json`,
  );
  expect(timelineOf(corpusText(path)).markers.map(({ start, name }) => [3600 + start, name])).toEqual(expected);
});

const sequence = (frameDuration: string, conform: string) =>
  `<fcpxml version="1.11"><resources><format id="r1" frameDuration="${frameDuration}"/>
  <asset id="r2" name="A" src="file:///a.mov" start="0s" duration="1000s" hasVideo="1" format="r1"/></resources>
  <project name="P"><sequence format="r1" tcStart="0s"><spine>
  <asset-clip ref="r2" offset="0s" start="100s" duration="240s" name="A">${conform}<marker start="150s" duration="1/24s" value="m"/>
  <title ref="r9" lane="1" offset="150s" start="0s" duration="1s" name="T"/></asset-clip>
  </spine></sequence></project></fcpxml>`;

test.each([
  ["100/2400s", '<conform-rate srcFrameRate="25"/>', 24 / 25],
  ["100/2500s", '<conform-rate srcFrameRate="24"/>', 25 / 24],
  ["100/2500s", '<conform-rate srcFrameRate="23.98"/>', 25 / (24000 / 1001)],
  ["1001/24000s", '<conform-rate srcFrameRate="24"/>', 1000 / 1001],
  ["100/2500s", '<conform-rate srcFrameRate="47.95"/>', 25 / (24000 / 1001)],
  ["100/5000s", '<conform-rate srcFrameRate="24"/>', 25 / 24],
  ["100/2500s", '<conform-rate srcFrameRate="50"/>', 1],
  ["100/2400s", '<conform-rate srcFrameRate="29.97"/>', 1],
  ["100/2400s", '<conform-rate srcFrameRate="25" scaleEnabled="0"/>', 1],
  ["100/2400s", '<conform-rate srcFrameRate="nonsense"/>', 1],
  ["100/2400s", "", 1],
])("a sequence of frames of %s shows media with %s at %f", (frameDuration, conform, pace) => {
  const { tracks, markers } = timelineOf(sequence(frameDuration, conform));
  const clip = tracks.flatMap((track) => track.clips).find(({ name }) => name === "A");
  expect(clip?.speed).toBeCloseTo(pace, 9);
  expect([clip?.start, clip?.end, clip?.sourceStart]).toEqual([0, 240, 100]);
  expect(clip?.markers[0]?.start).toBe(150);
  expect(markers[0]?.start).toBeCloseTo(50 / pace, 9);
  const title = tracks.flatMap((track) => track.clips).find(({ name }) => name === "T");
  expect(title?.start).toBeCloseTo(50 / pace, 9);
});
