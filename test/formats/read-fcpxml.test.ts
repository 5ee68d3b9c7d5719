import { describe, expect, test } from "vitest";
import { frameRate } from "../../src/core/frame-rate.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import { addTimes, parseRationalTime, scaleTime, timeSeconds } from "../../src/formats/fcpxml/fcpxml-time.ts";
import { parseFcpxml } from "../../src/formats/index.ts";

const FILM =
  '<asset id="film" name="film.mov" src="file:///film.mov" start="3600s" duration="100s" hasVideo="1" format="r1" hasAudio="1"/>';
const SOUND = '<asset id="sound" name="wind" src="file:///wind.wav" duration="50s" hasAudio="1" audioChannels="2"/>';

/** A project of 25 frames a second, whose first storyline holds `inner`; `head` is of the sequence, `more` are further resources. */
const projectOf = (inner: string, head = "", more = "") =>
  `<fcpxml version="1.11"><resources><format id="r1" frameDuration="1/25s" width="1920" height="1080"/>${FILM}${SOUND}${more}</resources>
<library><event name="E"><project name="P"><sequence format="r1" ${head}><spine>
${inner}
</spine></sequence></project></event></library></fcpxml>`;

function timelineOf(text: string, name?: string): Timeline {
  const { timeline } = parseFcpxml(text, name === undefined ? {} : { name });
  if (timeline === null) throw new Error("no timeline");
  return timeline;
}

const issuesOf = (text: string) => parseFcpxml(text).issues.map(({ code, line, text }) => `${code}@${line} ${text}`);

/** Clips by their tracks: name, range, and where in the source they begin. */
function rowsOf(timeline: Timeline): Record<string, unknown> {
  return Object.fromEntries(
    timeline.tracks.map(({ kind, name, clips }) => [
      `${kind} ${name}`,
      clips.map((clip) => [clip.name, clip.start, clip.end, clip.sourceStart]),
    ]),
  );
}

const MAIN = "video Primary storyline";
const MAIN_SOUND = "audio Primary storyline";

describe("a storyline", () => {
  test("has its clips where they say, or one behind the other, counted from the start of the sequence", () => {
    const inner = `<video ref="film" name="a" start="3605s" duration="4s"/>
      <gap duration="2s"/><note>said</note>
      <video ref="film" name="b" duration="3s"/>
      <video ref="film" name="c" offset="3620s" start="3700s" duration="1s"/>
      <video ref="film" name="d" duration="1s"/>`;
    const timeline = timelineOf(projectOf(inner, 'tcStart="3600s" tcFormat="NDF"'));
    expect(rowsOf(timeline)).toEqual({
      [MAIN]: [
        ["a", 0, 4, 5],
        ["b", 6, 9, 0],
        ["c", 20, 21, 100],
        ["d", 21, 22, 0],
      ],
    });
    expect(timeline).toMatchObject({
      name: "P",
      rate: frameRate(25),
      isDropFrame: false,
      startFrame: 90_000,
      frameSize: { width: 1920, height: 1080 },
    });
    expect(timelineOf(projectOf("", 'tcFormat="DF"'))).toMatchObject({ isDropFrame: true, startFrame: 0, tracks: [] });
  });

  test("has transitions that hold its clips together, and markers of their own clock, which begins at an hour", () => {
    const inner = `<video ref="film" name="a" duration="4s"/>
      <transition name="Cross" offset="3s" duration="2s"><marker start="3601s" value="in it"/></transition>
      <transition offset="9s" duration="0s"/>
      <transition offset="9s"/>
      <transition name="back" offset="9s" duration="-1s"/>
      <video ref="film" name="b" offset="4s" duration="4s"/>`;
    const timeline = timelineOf(projectOf(inner));
    expect(timeline.tracks[0]?.transitions).toEqual([
      { name: "Cross", start: 3, end: 5 },
      { name: "Transition", start: 9, end: 9 },
    ]);
    expect(timeline.markers).toMatchObject([{ name: "in it", start: 4, end: 4 }]);
    expect(issuesOf(projectOf(inner))).toEqual(["bad-time@6 transition", "bad-time@7 transition back"]);
    expect(timelineOf(projectOf('<transition offset="9s" duration="1s"/>')).tracks).toMatchObject([
      { kind: "video", clips: [], transitions: [{ start: 9, end: 10 }] },
    ]);
  });

  test("has sound that hangs on a gap, whether the gap states where its clock begins or not", () => {
    const sound = '<audio ref="sound" name="wind" lane="-1" offset="2s" duration="1s"/>';
    for (const start of ['start="0s"', ""]) {
      expect(rowsOf(timelineOf(projectOf(`<gap ${start} duration="9s">${sound}</gap>`)))).toEqual({
        "audio Lane -1": [["wind", 2, 3, 0]],
      });
    }
  });

  test("has clips connected to its own, on lanes above and below, at times of the clip that they hang on", () => {
    const inner = `<gap start="10s" duration="60s">
      <asset-clip ref="film" name="over" lane="2" offset="12s" duration="5s">
        <video ref="film" name="higher" lane="1" offset="3601s" duration="1s"/></asset-clip>
      <asset-clip ref="sound" name="under" lane="-1" offset="15s" start="7s" duration="9s"/>
      <video ref="film" name="at once" lane="1" duration="1s"/>
      <video ref="film" name="none" offset="12s" duration="5s"/>
      <video ref="film" name="half" lane="0.5" offset="12s" duration="5s"/>
      <video ref="film" name="far" lane="1001" offset="12s" duration="5s"/>
      <video ref="film" name="highest" lane="1000" offset="12s" duration="5s"/>
      <spine lane="4" offset="20s"><video ref="film" name="s" duration="2s"/><video ref="film" name="t" duration="2s"/></spine>
      </gap>`;
    expect(rowsOf(timelineOf(projectOf(inner)))).toEqual({
      "video Lane 1": [["at once", 0, 1, 0]],
      "video Lane 2": [["over", 2, 7, 0]],
      "video Lane 3": [["higher", 3, 4, 0]],
      "video Lane 4": [
        ["s", 10, 12, 0],
        ["t", 12, 14, 0],
      ],
      "video Lane 1000": [["highest", 2, 7, 0]],
      "audio Lane -1": [["under", 5, 14, 7]],
      "audio Lane 2": [["over", 2, 7, 0]],
    });
    expect(timelineOf(projectOf(inner)).tracks.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      ...[1, 2, 3, 4, 1000].map((lane) => `video Lane ${lane}`),
      ...[-1, 2].map((lane) => `audio Lane ${lane}`),
    ]);
  });
});

describe("a clip", () => {
  const clipOf = (inner: string, more = "") => {
    const { tracks } = timelineOf(projectOf(inner, "", more));
    return { kinds: tracks.map(({ kind }) => kind), clip: tracks[0]?.clips[0] };
  };

  test.each([
    ['<asset-clip ref="film" duration="1s"/>', ["video", "audio"]],
    ['<asset-clip ref="film" duration="1s" srcEnable="all"/>', ["video", "audio"]],
    ['<asset-clip ref="film" duration="1s" srcEnable="video"/>', ["video"]],
    ['<asset-clip ref="film" duration="1s" srcEnable="audio"/>', ["audio"]],
    ['<video ref="film" duration="1s"/>', ["video"]],
    ['<audio ref="film" duration="1s"/>', ["audio"]],
    ['<asset-clip ref="sound" duration="1s"/>', ["audio"]],
    ['<title name="T" ref="none" duration="1s"/>', ["video"]],
    ['<clip duration="1s"><video ref="film" duration="1s"/></clip>', ["video"]],
    ['<clip duration="1s"><video ref="film" duration="1s"><audio ref="film"/></video></clip>', ["video", "audio"]],
    ['<clip duration="1s"><audio ref="sound" duration="1s"/></clip>', ["audio"]],
    ['<sync-clip duration="1s"><gap><audio ref="sound" offset="0s"/></gap></sync-clip>', ["audio"]],
    ['<sync-clip duration="1s"><spine><video ref="film"/></spine></sync-clip>', ["video"]],
    ['<mc-clip duration="1s"/>', ["video"]],
    ['<gap duration="1s"/>', []],
    ['<caption duration="1s"/>', []],
  ])("%s lies on tracks of %j", (inner, kinds) => {
    expect(clipOf(inner).kinds).toEqual(kinds);
  });

  test("has the words of its captions, all of them, whatever styles part them", () => {
    const caption = (text: string) => `<caption lane="1" offset="3600s" duration="1s"><text>${text}</text></caption>`;
    const said = (...texts: readonly string[]) =>
      parseFcpxml(
        projectOf(`<asset-clip ref="film" duration="9s">${texts.map(caption).join("")}</asset-clip>`),
      ).captions?.map(({ text }) => text);
    const style = (words: string) => `<text-style ref="ts1">${words}</text-style>`;
    expect(said(`${style("A door ")}${style("opens")}.`, style("Rain."))).toEqual(["A door opens.", "Rain."]);
    expect(said(`${style(`A <b>door</b>`)} shuts${style(".")}</text><text>Rain.`)).toEqual(["A door shuts. Rain."]);
  });

  test("says what it is called, whether it is switched on, and which effects it has", () => {
    const inner = `<asset-clip ref="film" name="a" enabled="0" duration="1s"><filter-video name="Blur"/>
      <filter-audio/><adjust-volume amount="3dB"/></asset-clip>`;
    expect(clipOf(inner).clip).toMatchObject({
      name: "a",
      isEnabled: false,
      effects: ["Blur", "filter-audio"],
      speed: 1,
    });
    expect(clipOf('<video ref="film" enabled="1" duration="1s"/>').clip).toMatchObject({
      name: "",
      isEnabled: true,
      effects: [],
    });
  });

  test("of an audition is the one that is picked", () => {
    const inner = `<audition><video ref="film" name="a" duration="2s"/><video ref="film" name="b" duration="5s"/></audition>
      <audition/><video ref="film" name="c" duration="1s"/>`;
    expect(rowsOf(timelineOf(projectOf(inner)))).toEqual({
      [MAIN]: [
        ["a", 0, 2, 0],
        ["c", 2, 3, 0],
      ],
    });
  });

  test("is as long as its media where it does not say, and has no place where neither does", () => {
    const inner = `<asset-clip ref="sound" name="whole"/>
      <title name="T"/>
      <asset-clip ref="sound" name="next" duration="1s"/>`;
    expect(rowsOf(timelineOf(projectOf(inner)))).toEqual({
      [MAIN_SOUND]: [
        ["whole", 0, 50, 0],
        ["next", 50, 51, 0],
      ],
    });
    expect(issuesOf(projectOf(inner))).toEqual(["bad-time@4 title T"]);
  });

  test("shows its content from where the content lies on the clip's own clock", () => {
    const content = (attributes: string) =>
      clipOf(`<clip start="20s" duration="5s"><video ref="film" ${attributes}/></clip>`).clip?.sourceStart;
    // The first frame of the film has the time 3600 on its own clock.
    expect([
      content('offset="0s" start="3600s"'),
      content('offset="15s" start="3600s"'),
      content('offset="15s" start="3610s"'),
      content('offset="15s"'),
      content(""),
    ]).toEqual([20, 5, 15, 5, 20]);
    expect(clipOf('<clip duration="5s"><video ref="film" offset="8s"/></clip>').clip?.sourceStart).toBe(0);
  });

  test("that shows a sequence has that sequence, counted from its own start", () => {
    const media = `<media id="m" name="Compound"><sequence format="r1" tcStart="10s"><spine>
      <video ref="film" name="in" start="3601s" duration="4s"/></spine></sequence></media>`;
    const { clip, kinds } = clipOf('<ref-clip ref="m" name="c" start="12s" duration="2s"/>', media);
    expect(kinds).toEqual(["video", "audio"]);
    expect(clip).toMatchObject({ name: "c", start: 0, end: 2, sourceStart: 2, source: { kind: "nested" } });
    const inner = clip?.source.kind === "nested" ? clip.source.timeline : undefined;
    expect(inner).toMatchObject({ name: "Compound", startFrame: 250 });
    expect(inner && rowsOf(inner)).toEqual({ [MAIN]: [["in", 0, 4, 1]] });
    expect(
      clipOf('<ref-clip ref="m" name="c" duration="2s"/>', media.replace(' name="Compound"', "")).clip,
    ).toMatchObject({
      sourceStart: 0,
      source: { kind: "nested", timeline: { name: "c" } },
    });
  });

  test("that shows a sequence which it stands in shows nothing", () => {
    const media =
      '<media id="m"><sequence format="r1"><spine><ref-clip ref="m" name="again" duration="2s"/></spine></sequence></media>';
    const { clip } = clipOf('<ref-clip ref="m" name="c" duration="2s"/>', media);
    expect(clip?.source).toMatchObject({
      kind: "nested",
      timeline: { tracks: [{ clips: [{ source: { kind: "empty", name: "again" } }] }] },
    });
  });

  test("of generated pictures has its own name, else that of the effect", () => {
    const effect = '<effect id="e" name="Basic Title"/>';
    expect(clipOf('<title ref="e" name="T" duration="1s"/>', effect).clip?.source).toEqual({
      kind: "empty",
      name: "T",
    });
    expect(clipOf('<title ref="e" duration="1s"/>', effect).clip?.source).toEqual({
      kind: "empty",
      name: "Basic Title",
    });
    expect(clipOf('<title duration="1s"/>', effect).clip?.source).toEqual({ kind: "empty", name: "" });
  });

  test("has its media's address, length, rate, size and sound, as far as the media says them", () => {
    const mediaOf = (attributes: string, inner = "") =>
      clipOf('<asset-clip ref="x" duration="1s"/>', `<asset id="x" ${attributes}>${inner}</asset>`).clip?.source;
    const bare = { kind: "media", name: "", location: null };
    expect(mediaOf('hasVideo="1"')).toEqual({ ...bare, hasVideo: true, audioChannels: 0 });
    expect(mediaOf('hasAudio="1"')).toEqual({ ...bare, hasVideo: false, audioChannels: 2 });
    expect(mediaOf('hasAudio="1" audioChannels="1" audioRate="44100" format="r1"')).toEqual({
      ...bare,
      ...{ hasVideo: false, audioChannels: 1, audioSampleRate: 44_100, frameSize: { width: 1920, height: 1080 } },
    });
    expect(mediaOf('hasAudio="1" audioChannels="2" audioSources="3"')).toMatchObject({ audioChannels: 6 });
    expect(mediaOf('hasAudio="1" audioChannels="2" audioSources="0"')).toMatchObject({ audioChannels: 2 });
    expect(mediaOf('hasVideo="1" hasAudio="0" audioChannels="2"')).toMatchObject({ audioChannels: 0 });
    expect(mediaOf('hasVideo="1" start="2s" duration="9s" format="r1"')).toMatchObject({
      ...{ durationSeconds: 9, rate: frameRate(25), startFrame: 50, frameSize: { width: 1920, height: 1080 } },
    });
    expect(mediaOf('hasVideo="1" src="file:///a.mov" name="n"', '<media-rep src="file:///b.mov"/>')).toMatchObject({
      ...{ name: "n", location: "file:///a.mov" },
    });
    expect(mediaOf('hasVideo="1"', '<media-rep src="file:///b.mov"/>')).toMatchObject({ location: "file:///b.mov" });
    expect(mediaOf('hasVideo="1" src="file:///a.png"')).toMatchObject({ isStill: true });
    expect(mediaOf('hasVideo="1" src="file:///a.mov"')).not.toHaveProperty("isStill");
    expect(mediaOf('hasAudio="1" src="file:///a.png"')).not.toHaveProperty("isStill");
  });
});

describe("markers", () => {
  const clip = (inner: string) => `<asset-clip ref="film" name="a" start="3610s" duration="10s">${inner}</asset-clip>`;

  test("stand on the sequence in order of time, and on their clip at times of its source", () => {
    const first = clip(
      '<marker start="3619s" value="late" note="n"/><chapter-marker start="3610s" duration="2s" value="at once"/><keyword start="3611s" value="k"/>',
    );
    const timeline = timelineOf(projectOf(`<gap duration="5s"><marker start="1s" duration="-1s"/></gap>${first}`));
    expect(timeline.markers).toEqual([
      { id: "marker-0", name: "", comment: "", start: 1, end: 1 },
      { id: "marker-1", name: "at once", comment: "", start: 5, end: 7 },
      { id: "marker-2", name: "late", comment: "n", start: 14, end: 14 },
    ]);
    for (const track of timeline.tracks) {
      expect(track.clips[0]?.markers).toEqual([
        { name: "late", comment: "n", start: 19, end: 19 },
        { name: "at once", comment: "", start: 10, end: 12 },
      ]);
    }
  });

  test("outside of what their clip shows are told, as are those without a time, by their line and name", () => {
    const inner = clip(
      '<marker start="3609s" value="before"/>\n<marker start="3620s" value="behind"/>\n<marker value="never"/><marker/>',
    );
    expect(timelineOf(projectOf(inner)).markers).toEqual([]);
    expect(issuesOf(projectOf(inner))).toEqual([
      "hidden-marker@3 marker before",
      "hidden-marker@4 marker behind",
      "bad-time@5 marker never",
      "bad-time@5 marker",
    ]);
  });
});

describe("a document", () => {
  const project = (name: string, inner: string) =>
    `<project name="${name}"><sequence><spine><video name="${inner}" duration="1s"/></spine></sequence></project>`;

  test("gives the project of a name, else its first sequence, but none of its resources", () => {
    const text = `<fcpxml><resources><media id="m"><sequence><spine><video name="of m" duration="1s"/></spine></sequence></media></resources>
      <event>${project("a", "of a")}</event><event>${project("b", "of b")}</event></fcpxml>`;
    const chosen = (name?: string) => {
      const timeline = timelineOf(text, name);
      return [timeline.name, timeline.tracks[0]?.clips[0]?.name];
    };
    expect([chosen(), chosen("a"), chosen("b"), chosen("c")]).toEqual([
      ["a", "of a"],
      ["a", "of a"],
      ["b", "of b"],
      ["a", "of a"],
    ]);
    expect(timelineOf("<fcpxml><sequence/></fcpxml>")).toMatchObject({ name: "", rate: frameRate(25), tracks: [] });
  });

  test("of another kind, or without a sequence, holds no timeline", () => {
    const none = (text: string) => parseFcpxml(text).timeline;
    expect([
      none("<xmeml><sequence/></xmeml>"),
      none("<fcpxml/>"),
      none(""),
      none("<fcpxml><resources/></fcpxml>"),
    ]).toEqual([null, null, null, null]);
    expect(issuesOf(`<fcpxml>${" ".repeat(100)}</fcpxml>`)).toEqual(["no-timeline@0 <fcpxml>"]);
    expect(issuesOf("<fcpxml><sequence>\n<a></sequence></fcpxml>")).toEqual(["bad-xml@2 "]);
  });

  test("has the rate and the size that its format states in numbers", () => {
    const of = (format: string) =>
      timelineOf(`<fcpxml><resources><format id="f" ${format}/></resources><sequence format="f"/></fcpxml>`);
    expect(of('frameDuration="1001/30000s"').rate).toEqual(frameRate(30_000, 1001));
    for (const none of ['frameDuration="0s"', 'frameDuration="-1/25s"', 'frameDuration="x"', ""]) {
      expect(of(none).rate, none).toEqual(frameRate(25));
    }
    expect(of('width="0" height="5"')).not.toHaveProperty("frameSize");
    expect(of('width="5" height="0"')).not.toHaveProperty("frameSize");
    expect(of('width="5" height="4"').frameSize).toEqual({ width: 5, height: 4 });
  });
});

describe("a time of FCPXML", () => {
  test.each([
    ["1001/30000s", 1001n, 30_000n],
    ["5s", 5n, 1n],
    [" -5/2s ", -5n, 2n],
    ["3.25s", 325n, 100n],
    ["-0.5s", -5n, 10n],
  ])("%j is a fraction of seconds", (text, numerator, denominator) => {
    expect(parseRationalTime(text)).toEqual({ numerator, denominator });
  });

  test.each([undefined, "", "5", "s", "1/0s", "1/2/3s", "x5s", "5sx", "1.s", ".5s", "1.5/2s", "x1.5s", "1.5sx"])(
    "%j is none",
    (text) => {
      expect(parseRationalTime(text)).toBeNull();
    },
  );

  test("is added, taken away and scaled without loss, in fractions that stay small", () => {
    const of = (numerator: number, denominator: number) => ({
      numerator: BigInt(numerator),
      denominator: BigInt(denominator),
    });
    expect(addTimes(of(1, 3), of(1, 6))).toEqual(of(1, 2));
    expect(addTimes(of(1, 3), of(1, 3), -1)).toEqual(of(0, 3));
    expect(addTimes(of(1, 3), of(5, 6), -1)).toEqual(of(-1, 2));
    expect(addTimes(of(1001, 30_000), of(1001, 24_000))).toEqual(of(3003, 40_000));
    expect(addTimes(of(1, 3), of(1, 2), -1)).toEqual(of(-1, 6));
    expect(scaleTime(of(2, 3), 3, 4)).toEqual(of(1, 2));
    let sum = of(0, 1);
    for (let count = 0; count < 2000; count++) sum = addTimes(sum, count % 2 === 0 ? of(1001, 30_000) : of(1, 25));
    expect(sum.denominator).toBeLessThanOrEqual(30_000n);
    expect(timeSeconds(sum)).toBeCloseTo(1001 / 30 + 40, 9);
  });

  test("in seconds is the nearest number, however long the fraction", () => {
    for (const [numerator, denominator] of [
      [1001n, 30_000n],
      [-1n, 3n],
      [2n ** 53n - 1n, 1n],
      [1n, 2n ** 53n - 1n],
    ] as const) {
      expect(timeSeconds({ numerator, denominator })).toBe(Number(numerator) / Number(denominator));
    }
    const large = 10n ** 20n;
    expect(timeSeconds({ numerator: 5n * large + large / 4n, denominator: large })).toBe(5.25);
    expect(timeSeconds({ numerator: -5n * large, denominator: 2n * large })).toBe(-2.5);
  });
});
