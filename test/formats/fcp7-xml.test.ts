import { expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import { parseFcp7Xml } from "../../src/formats/fcp7-xml/read-fcp7-xml.ts";
import { writeFcp7Xml } from "../../src/formats/fcp7-xml/write-fcp7-xml.ts";

test("a rate that the format cannot state is written as the least multiple that it can, each frame where it was", () => {
  for (const [rate, written] of [
    [frameRate(25, 2), frameRate(25)],
    [frameRate(15, 2), frameRate(15)],
    [frameRate(1000, 7), frameRate(143)],
    [frameRate(1, 3), frameRate(1)],
    [frameRate(122_600, 1001), frameRate(122)],
    [frameRate(120_000, 1001), frameRate(120_000, 1001)],
  ] as const) {
    const timeline = { name: "x", rate, isDropFrame: false, startFrame: 4, tracks: [], markers: [] };
    const read = parseFcp7Xml(writeFcp7Xml(timeline)).timeline;
    expect(read?.rate).toEqual(written);
    expect(read?.startFrame).toBe(
      Math.round((4 * rate.denominator * written.numerator) / (rate.numerator * written.denominator)),
    );
  }
});

const timelineOf = (text: string, name?: string) => parseFcp7Xml(text, name === undefined ? {} : { name }).timeline;
const codesOf = (text: string) => parseFcp7Xml(text).issues.map(({ code, line, text }) => `${code}@${line} ${text}`);

test("a sequence is found by its name in projects, bins and their children, else the first is taken", () => {
  const sequence = (name: string) => `<sequence><name>${name}</name></sequence>`;
  const text = `<xmeml><project><children>${sequence("a")}<bin><children>${sequence("b")}</children></bin></children></project>${sequence("c")}</xmeml>`;
  for (const name of ["a", "b", "c"]) expect(timelineOf(text, name)?.name).toBe(name);
  expect(timelineOf(text, "d")?.name).toBe("a");
  expect(timelineOf(sequence("x"))?.name).toBe("x");
  expect(timelineOf(`<xmeml><clip>${sequence("x")}</clip></xmeml>`)).toBeNull();
});

test("a file says what it is, as far as it says it", () => {
  const mediaOf = (file: string, kind = "video", more = "") =>
    timelineOf(
      `<xmeml><sequence><rate><timebase>25</timebase></rate><media><${kind}><track><clipitem><name>c</name><start>0</start><end>5</end>${more}<file>${file}</file></clipitem></track></${kind}></media></sequence></xmeml>`,
    )?.tracks[0]?.clips[0]?.source;
  const named = { kind: "media", name: "f", location: null };
  expect(mediaOf("<name>f</name>")).toEqual({ ...named, hasVideo: true, audioChannels: 0 });
  expect(mediaOf("<name>f</name>", "audio")).toEqual({ ...named, hasVideo: false, audioChannels: 2 });
  expect(
    mediaOf("<name>f</name><media><audio/><audio><channelcount>3</channelcount></audio></media>", "audio"),
  ).toEqual({
    ...named,
    hasVideo: false,
    audioChannels: 4,
  });
  expect(mediaOf("<name>f</name><media><audio/></media>")).toMatchObject({ hasVideo: false, audioChannels: 1 });
  expect(mediaOf("<name>f</name><width>4</width><height>3</height>")).toMatchObject({
    frameSize: { width: 4, height: 3 },
  });
  expect(mediaOf("<name>f</name><width>4</width>")).not.toHaveProperty("frameSize");
  expect(mediaOf("<name>f</name><duration>50</duration>")).not.toHaveProperty("durationSeconds");
  expect(mediaOf("<name>f</name><duration>50</duration><rate><timebase>25</timebase></rate>")).toMatchObject({
    durationSeconds: 2,
    rate: frameRate(25),
    startFrame: 0,
  });
  expect(mediaOf("<pathurl>file:///a.png</pathurl>")).toMatchObject({ name: "c", isStill: true });
  expect(mediaOf("<pathurl>file:///a.mov</pathurl>", "video", "<stillframe>true</stillframe>")).toMatchObject({
    isStill: true,
  });
  expect(mediaOf("<pathurl>file:///a.png</pathurl>", "audio")).not.toHaveProperty("isStill");
  expect(mediaOf("<mediaSource>Slug</mediaSource>")).toEqual({ kind: "empty", name: "c" });
  expect(mediaOf("<mediaSource>Slug</mediaSource><pathurl>file:///a.mov</pathurl>")).toMatchObject({ kind: "media" });
});

test("what has no time, or none that can be, is left out and told by its line", () => {
  const track = (inner: string) =>
    `<xmeml><sequence>\n<rate><timebase>25</timebase></rate><media><video><track>\n${inner}</track></video></media></sequence></xmeml>`;
  expect(codesOf(track("<clipitem><name>x</name></clipitem>"))).toEqual(["bad-time@3 clipitem x"]);
  expect(codesOf(track("\n<clipitem><start>5</start><end>5</end></clipitem>"))).toEqual(["bad-time@4 clipitem"]);
  for (const half of ["<clipitem><end>5</end></clipitem>", "<clipitem><start>5</start></clipitem>"]) {
    expect(codesOf(track(half))).toEqual(["bad-time@3 clipitem"]);
  }
  for (const half of ["<start>5</start>", "<end>5</end>"]) {
    expect(codesOf(track(`<transitionitem>${half}</transitionitem>`))).toEqual(["bad-time@3 transitionitem"]);
  }
  expect(codesOf("<xmeml><sequence>\n<marker><name>m</name></marker></sequence></xmeml>")).toEqual([
    "bad-time@2 marker m",
  ]);
  expect(codesOf("<xmeml>\n  <a></xmeml>  ")).toEqual(["no-timeline@0 <xmeml>\n  <a></xmeml>", "bad-xml@2 "]);
  expect(codesOf(`${"x".repeat(200)}`)).toEqual([`no-timeline@0 ${"x".repeat(80)}`]);
});

test("clips beside transitions without a cut of their own follow each other", () => {
  const text = `<xmeml><sequence><rate><timebase>25</timebase></rate><media><video><track>
<clipitem><name>a</name><start>0</start><end>-1</end><in>0</in><out>60</out></clipitem>
<transitionitem><start>40</start><end>60</end><alignment>start-black</alignment></transitionitem>
<clipitem><name>b</name><start>-1</start><end>-1</end><in>100</in><out>150</out></clipitem>
<clipitem><name>c</name><start>-1</start><end>-1</end><in>7</in><out>17</out></clipitem>
<transitionitem><start>95</start><end>100</end><alignment>end-black</alignment></transitionitem>
</track></video></media></sequence></xmeml>`;
  const track = timelineOf(text)?.tracks[0];
  const frames = (seconds: number) => Math.round(seconds * 25);
  expect(track?.clips.map(({ name, ...one }) => [name, ...[one.start, one.end, one.sourceStart].map(frames)])).toEqual([
    ["a", 0, 40, 0],
    ["b", 40, 90, 100],
    ["c", 90, 100, 7],
  ]);
  expect(track?.transitions.map(({ name, start, end }) => [name, frames(start), frames(end)])).toEqual([
    ["Transition", 40, 60],
    ["Transition", 95, 100],
  ]);
});

test("the speed of a clip is that of its Time Remap, whatever filters stand before it", () => {
  const effect = (id: string, inner: string, more = "") =>
    `<filter>${more}<effect><name>${id}</name><effectid>${id}</effectid>${inner}</effect></filter>`;
  const value = (id: string, text: string) =>
    `<parameter><parameterid>${id}</parameterid><value>${text}</value></parameter>`;
  const clipOf = (filters: string) =>
    timelineOf(
      `<xmeml><sequence><rate><timebase>25</timebase></rate><media><video><track><clipitem><start>0</start><end>50</end><in>100</in><out>150</out><duration>500</duration>${filters}</clipitem></track></video></media></sequence></xmeml>`,
    )?.tracks[0]?.clips[0];
  const blur = effect("blur", value("speed", "300"));
  expect(clipOf(blur)).toMatchObject({ speed: 1, sourceStart: 4, effects: ["blur"] });
  expect(clipOf(blur + effect("TimeRemap", value("speed", "200")))).toMatchObject({
    speed: 2,
    sourceStart: 8,
    effects: ["blur"],
  });
  expect(clipOf(effect("timeremap", value("speed", "200") + value("reverse", "true")))).toMatchObject({
    speed: -2,
    sourceStart: 32,
  });
  expect(clipOf(effect("timeremap", value("speed", "-50")))).toMatchObject({ speed: -0.5, sourceStart: 8 });
  expect(clipOf(effect("timeremap", value("speed", "x")))).toMatchObject({ speed: 1 });
  expect(clipOf(effect("timeremap", ""))).toMatchObject({ speed: 1, effects: [] });
  expect(clipOf(effect("timeremap", value("variablespeed", "1")))).toMatchObject({
    effects: ["Time Remap (variable)"],
  });
  expect(clipOf(`${effect("off", "", "<enabled>FALSE</enabled>")}<filter/>`)).toMatchObject({ effects: [""] });
});

test("in and out of a clip of changed speed may count the source: its length says so", () => {
  const clipOf = (speed: number) =>
    timelineOf(
      `<xmeml><sequence><rate><timebase>25</timebase></rate><media><video><track><clipitem><start>0</start><end>50</end><in>100</in><out>200</out><duration>500</duration><filter><effect><effectid>timeremap</effectid><parameter><parameterid>speed</parameterid><value>${speed}</value></parameter></effect></filter></clipitem></track></video></media></sequence></xmeml>`,
    )?.tracks[0]?.clips[0]?.sourceStart;
  expect([clipOf(200), clipOf(-200)]).toEqual([4, 8]);
});

test("the rate of a sequence comes before that of its timecode, whose start is counted anew", () => {
  const rate = (timebase: number) => `<rate><timebase>${timebase}</timebase><ntsc>FALSE</ntsc></rate>`;
  const of = (own: string, timecode: string) => {
    const timeline = timelineOf(
      `<xmeml><sequence>${own}<timecode>${timecode}<frame>50</frame></timecode></sequence></xmeml>`,
    );
    return [timeline?.rate.numerator, timeline?.startFrame];
  };
  expect(of(rate(50), rate(25))).toEqual([50, 100]);
  expect(of("", rate(30))).toEqual([30, 50]);
  expect(of(rate(24), "")).toEqual([24, 50]);
  expect(of("", "")).toEqual([25, 50]);
});

test("the size of the picture is that of the sequence's format, where both its sides are there", () => {
  const sizeOf = (inner: string) =>
    timelineOf(
      `<xmeml><sequence><media><video><format><samplecharacteristics>${inner}</samplecharacteristics></format></video></media></sequence></xmeml>`,
    )?.frameSize;
  expect(sizeOf("<width>4</width><height>3</height>")).toEqual({ width: 4, height: 3 });
  expect([sizeOf("<width>4</width>"), sizeOf("<height>3</height>"), sizeOf("")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("of a file whose channels lie on tracks of their own, each clip says which one it plays", () => {
  const clip = (channel: string, more = '<file id="f"/>') =>
    `<clipitem><start>0</start><end>5</end><in>0</in>${more}${channel === "" ? "" : `<sourcetrack><trackindex>${channel}</trackindex></sourcetrack>`}</clipitem>`;
  const channelsOf = (...tracks: readonly string[]) => {
    const sound = tracks.map((track) => `<track>${track}</track>`).join("");
    const text = `<xmeml><sequence><rate><timebase>25</timebase></rate><media><video><track>${clip("1")}</track></video><audio>${sound}</audio></media></sequence></xmeml>`;
    return timelineOf(text)?.tracks.flatMap(({ clips }) => clips.map(({ sourceChannel }) => sourceChannel ?? 0));
  };
  expect(channelsOf(clip("1"), clip("2"))).toEqual([0, 1, 2]);
  expect(channelsOf(clip("1"), clip("1"))).toEqual([0, 0, 0]);
  expect(channelsOf(clip("2"))).toEqual([0, 0]);
  expect(channelsOf(clip("1"), clip("2"), clip(""))).toEqual([0, 1, 2, 0]);
  expect(channelsOf(clip("1"), clip("2", '<file id="g"/>'))).toEqual([0, 0, 0]);
  for (const [part, other] of [
    ["<start>0</start>", "<start>1</start>"],
    ["<end>5</end>", "<end>6</end>"],
    ["<in>0</in>", "<in>1</in>"],
  ] as const) {
    expect(channelsOf(clip("1"), clip("2").replace(part, other)), part).toEqual([0, 0, 0]);
  }
  const nested = '<sequence id="s"><name>n</name></sequence>';
  expect(channelsOf(clip("1", nested), clip("2", nested))).toEqual([0, 0, 0]);
});

test("a clip or a generator shows what it names: a sequence, an effect, a file written out elsewhere", () => {
  const of = (inner: string, more = "") =>
    timelineOf(
      `<xmeml><sequence><rate><timebase>25</timebase></rate><media><video><track>${inner}</track></video></media></sequence>${more}</xmeml>`,
    )?.tracks[0]?.clips[0]?.source;
  const place = "<start>0</start><end>5</end>";
  expect(of(`<generatoritem><name>g</name>${place}<effect><name>Slug</name></effect></generatoritem>`)).toEqual({
    kind: "empty",
    name: "Slug",
  });
  expect(of(`<generatoritem><name>g</name>${place}</generatoritem>`)).toEqual({ kind: "empty", name: "g" });
  expect(of(`<clipitem><name>c</name>${place}</clipitem>`)).toEqual({ kind: "empty", name: "c" });
  expect(
    of(`<clipitem>${place}<file id="f"/></clipitem>`, '<bin><clip><file id="f"><name>n</name></file></clip></bin>'),
  ).toMatchObject({ name: "n" });
  expect(of(`<clipitem>${place}<file id="f"/></clipitem>`)).toMatchObject({ kind: "media", name: "" });
  expect(
    of(`<clipitem>${place}<sequence id="s"/></clipitem>`, '<sequence id="s"><name>in</name></sequence>'),
  ).toMatchObject({
    kind: "nested",
    timeline: { name: "in" },
  });
});
