import { expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { parseFcp7Xml, parseFcpxml, writeFcp7Xml } from "../../src/formats/index.ts";

/** A sequence with one clip of a 60 s film that begins at 10 s of its own clock, with a speed map. */
function withMap(points: readonly (readonly [time: number, value: number])[], clip = 'start="10s" duration="8s"') {
  const map = points.map(([time, value]) => `<timept time="${time}s" value="${value}s" interp="smooth2"/>`).join("");
  const { timeline, issues } = parseFcpxml(`<fcpxml version="1.9"><resources>
<format id="f" frameDuration="1/25s" width="320" height="240"/>
<asset id="r" name="film" src="file:///film.mov" start="0s" duration="60s" hasVideo="1" hasAudio="1" audioChannels="2" format="f"/>
</resources><sequence format="f"><spine><asset-clip ref="r" name="a" offset="0s" ${clip}>
<timeMap>${map}</timeMap><marker start="12s" duration="1/25s" value="Here"/></asset-clip>
<asset-clip ref="r" name="b" start="0s" duration="2s"/></spine></sequence></fcpxml>`);
  return { timeline, issues, clips: timeline?.tracks.map((track) => track.clips) ?? [] };
}

const shapes = (clips: ReturnType<typeof withMap>["clips"][number] = []) =>
  clips.map(({ start, end, sourceStart, speed }) => [start, end, sourceStart, speed]);

test("an even change of speed shows another part of the source, in picture and sound", () => {
  const { clips, timeline, issues } = withMap([
    [0, 0],
    [30, 60],
  ]);
  expect(issues).toEqual([]);
  for (const track of [clips[0], clips[1]]) {
    expect(shapes(track)).toEqual([
      [0, 8, 20, 2],
      [8, 10, 0, 1],
    ]);
  }
  // The marker stands where it is seen, and at the source's own time.
  expect(timeline?.markers).toMatchObject([{ name: "Here", start: 2 }]);
  expect(clips[0]?.[0]?.markers).toMatchObject([{ name: "Here", start: 24 }]);
});

test("a change on the way gives a clip for each speed; holds and ways back too", () => {
  const { clips } = withMap([
    [10, 10],
    [12, 12],
    [14, 12],
    [16, 20],
    [18, 18],
  ]);
  expect(shapes(clips[0]).slice(0, 4)).toEqual([
    [0, 2, 10, 1],
    [2, 4, 12, 0],
    [4, 6, 12, 4],
    [6, 8, 20, -1],
  ]);
});

test("points on one line are one speed, and beyond the last one it goes on", () => {
  const { clips } = withMap([
    [0, 0],
    [12, 6],
    [16, 8],
    [17, 8.5],
  ]);
  expect(shapes(clips[0])).toEqual([
    [0, 8, 5, 0.5],
    [8, 10, 0, 1],
  ]);
});

test("goes on as Final Cut Pro 7 XML with its speed", () => {
  const { timeline } = withMap([
    [0, 0],
    [30, 60],
  ]);
  if (timeline === null) throw new Error("no timeline");
  expect(timeline.rate).toEqual(frameRate(25));
  const again = parseFcp7Xml(writeFcp7Xml(timeline)).timeline;
  expect(again?.tracks[0]?.clips[0]).toMatchObject({ start: 0, end: 8, sourceStart: 20, speed: 2 });
});

test("a map that says nothing is named, and the clip counts at its own speed", () => {
  const { clips, issues } = withMap([[0, 0]]);
  expect(issues.map(({ code }) => code)).toEqual(["unknown-object"]);
  expect(shapes(clips[0])[0]).toEqual([0, 8, 10, 1]);
});
