import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareCues, cueIdAt } from "../../src/core/cue.ts";
import { layoutOf } from "../../src/core/layout.ts";
import { isMissing } from "../../src/core/local-file.ts";
import type { Timeline, TimelineClip, Track } from "../../src/core/timeline.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../made-timeline.ts";

describe("the layout of a timeline", () => {
  test("the layout names no place on this computer, and leaves our own track out", () => {
    const clip = {
      start: 0,
      end: 5,
      name: "harbour.mp4",
      isEnabled: true,
      sourceStart: 2,
      speed: 1,
      source: {
        kind: "media",
        name: "harbour.mp4",
        location: "/Users/kim/secret/harbour.mp4",
        hasVideo: true,
        audioChannels: 0,
      },
      effects: [],
      markers: [],
    } as const;
    const track = (kind: "video" | "audio", name: string) => ({
      kind,
      name,
      isEnabled: true,
      clips: [clip],
      transitions: [],
    });
    const layout = layoutOf(
      {
        name: "Harbour",
        rate: { numerator: 25, denominator: 1 },
        isDropFrame: false,
        startFrame: 0,
        tracks: [track("video", "Video 1"), track("audio", "Audio description")],
        markers: [],
      },
      "Audio description",
    );
    expect(layout).toMatchObject([{ kind: "video", track: 0, name: "harbour.mp4", start: 0, end: 5, sourceStart: 2 }]);
    expect(JSON.stringify(layout)).not.toContain("secret");
  });
});

describe("what a layout holds", () => {
  const plain = fc.constantFrom<TimelineClip["source"]>(madeMedia("a"), madeMedia("b"), {
    kind: "empty",
    name: "Title",
  });
  const clips = (source: fc.Arbitrary<TimelineClip["source"]>) =>
    fc
      .array(
        fc.record({
          gap: fc.constantFrom(0, 1),
          length: fc.integer({ min: 1, max: 4 }),
          sourceStart: fc.integer({ min: 0, max: 5 }),
          speed: fc.constantFrom(1, 1, 2, 0.5),
          isEnabled: fc.constantFrom(true, true, false),
          source,
        }),
        { maxLength: 3 },
      )
      .map((list) => {
        let at = 0;
        return list.map(({ gap, length, source: from, ...more }) => {
          const start = at + gap;
          at = start + length;
          return madeClip(from, start, at, more);
        });
      });
  const cutOf = (source: fc.Arbitrary<TimelineClip["source"]>) =>
    fc
      .array(
        fc.record({
          kind: fc.constantFrom("video" as const, "audio" as const),
          list: clips(source),
          isEnabled: fc.constantFrom(true, true, false),
          name: fc.constantFrom("V1", "ours"),
        }),
        { maxLength: 3 },
      )
      .map((tracks) => madeTimeline(tracks.map(({ kind, list, ...more }) => madeTrack(kind, list, more))));
  const cut = cutOf(
    fc.oneof(
      plain,
      cutOf(plain).map((timeline) => ({ kind: "nested" as const, timeline })),
    ),
  );

  /** What the clips of a kind show of a sequence at a time: names, source times and speeds. */
  const shownBy = (one: TimelineClip, kind: Track["kind"], at: number, speed: number): string[] => {
    if (!one.isEnabled || at < one.start || at >= one.end) return [];
    const time = one.sourceStart + (at - one.start) * one.speed;
    if (one.source.kind !== "nested") return [`${one.source.name} ${time.toFixed(6)} ${one.speed * speed}`];
    return shownIn(one.source.timeline, kind, time, speed * one.speed);
  };
  const shownIn = ({ tracks }: Timeline, kind: Track["kind"], at: number, speed: number): string[] =>
    tracks
      .filter((track) => track.kind === kind && (kind === "audio" || track.isEnabled))
      .flatMap((track) => track.clips.flatMap((one) => shownBy(one, kind, at, speed)));

  test("is at each time what each track shows, ours and the hidden ones left out, nested sequences laid open", () => {
    fc.assert(
      fc.property(cut, (timeline) => {
        const layout = layoutOf(timeline, "ours");
        for (const clip of layout) expect(clip.end).toBeGreaterThan(clip.start);
        for (const [index, track] of timeline.tracks.entries()) {
          const isLeftOut = track.name === "ours" || (track.kind === "video" && !track.isEnabled);
          const own = layout.filter((clip) => clip.track === index);
          expect(own.every(({ kind }) => kind === track.kind)).toBe(true);
          for (let at = 0.06; at < 16; at += 0.25) {
            const shown = own
              .filter(({ start, end }) => start <= at && at < end)
              .map((one) => `${one.name} ${(one.sourceStart + (at - one.start) * one.speed).toFixed(6)} ${one.speed}`);
            const wanted = isLeftOut ? [] : track.clips.flatMap((one) => shownBy(one, track.kind, at, 1));
            expect(shown.sort()).toEqual(wanted.sort());
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  const placed = (source: TimelineClip["source"], more: Partial<TimelineClip> = {}) =>
    layoutOf(madeTimeline([madeTrack("video", [madeClip(source, 0, 1, more)])]), "ours")[0];

  test("knows a medium by its place, an offline one by its name, and a title by none", () => {
    const [here, there] = [madeMedia("a", { location: "/one/a.mov" }), madeMedia("a", { location: "/two/a.mov" })];
    expect(placed(here)?.media).toBe(placed({ ...here, name: "renamed" })?.media);
    expect(placed(here)?.media).not.toBe(placed(there)?.media);
    const offline = (name: string, clipName: string) =>
      placed(madeMedia(name, { location: null }), { name: clipName })?.media;
    expect(offline("a", "x")).toBe(offline("a", "y"));
    expect(offline("a", "x")).not.toBe(offline("b", "x"));
    expect(offline("", "x")).not.toBe(offline("", "y"));
    expect(offline("a", "x")).not.toBe(placed(madeMedia("a", { location: "a" }))?.media);
    expect(placed({ kind: "empty", name: "Title" })).toMatchObject({ media: null, file: null });
    expect(placed(madeMedia("a", { location: null }))?.file).toBeNull();
  });

  test.each([
    ["/films/a b.mov", "a b.mov"],
    ["file:///films/a%20b.mov", "a b.mov"],
    ["C:\\films\\a.mov", "a.mov"],
    ["a.mov", "a.mov"],
    ["/films/100%.mov", "100%.mov"],
  ])("the file of %s is %s", (location, file) => {
    expect(placed(madeMedia("x", { location }))?.file).toBe(file);
  });

  test("a nest that is held or runs backwards is one clip, known by its sequence; nests end", () => {
    const inner = madeTimeline([madeTrack("video", [madeClip(madeMedia("a"), 0, 9)])], { name: "Inner" });
    const nest = (speed: number) => placed({ kind: "nested", timeline: inner }, { speed });
    for (const speed of [0, -1]) expect(nest(speed)).toMatchObject({ name: "Inner", file: null, speed });
    expect(nest(0)?.media).not.toBe(nest(1)?.media);
    expect(nest(0)?.media).toBe(nest(-1)?.media);
    const other = placed({ kind: "nested", timeline: { ...inner, name: "Other" } }, { speed: 0 });
    expect(other?.media).not.toBe(nest(0)?.media);
    const self = { ...inner, tracks: [] as Track[] };
    self.tracks.push(madeTrack("video", [madeClip({ kind: "nested", timeline: self }, 0, 1)]));
    expect(layoutOf(self, "ours")).toHaveLength(1);
  });

  test("sequences are laid open eight deep, and what lies deeper is known by its sequence", () => {
    const deep = (nests: number, source: TimelineClip["source"] = madeMedia("a")): TimelineClip["source"] =>
      nests === 0
        ? source
        : deep(nests - 1, {
            kind: "nested",
            timeline: madeTimeline([madeTrack("video", [madeClip(source, 0, 1)])], { name: `Around ${nests}` }),
          });
    expect(placed(deep(8))).toMatchObject({ name: "a", file: "a" });
    expect(placed(deep(9))).toMatchObject({ name: "Around 9", file: null });
  });
});

test("cues are in order of start, then end, then id, and one without a name has its number", () => {
  const cue = (id: string, start: number, end: number) => ({ id, start, end, text: id });
  const ordered = [cue("b", 0, 1), cue("a", 0, 2), cue("c", 0, 2), cue("d", 1, 1.5)];
  fc.assert(
    fc.property(fc.shuffledSubarray(ordered, { minLength: 4 }), (list) => {
      expect(list.sort(compareCues)).toEqual(ordered);
    }),
  );
  expect(compareCues(cue("a", 0, 1), cue("a", 0, 1))).toBe(0);
  expect([0, 41, 9_999].map(cueIdAt)).toEqual(["cue-0001", "cue-0042", "cue-10000"]);
});

test("a file is missing where its name or its folder is not there, and for no other reason", () => {
  const failed = (code?: string) => Object.assign(new Error("x"), code === undefined ? {} : { code });
  expect([failed("ENOENT"), failed("ENOTDIR"), failed("EACCES"), failed()].map(isMissing)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  for (const other of [{ code: "ENOENT" }, null, "ENOENT"]) expect(isMissing(other)).toBe(false);
});
