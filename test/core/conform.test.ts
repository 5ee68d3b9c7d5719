import { describe, expect, test } from "vitest";
import { conformCues } from "../../src/core/conform.ts";
import { frameRate } from "../../src/core/frame-rate.ts";
import { layoutOf, type PlacedClip } from "../../src/core/layout.ts";
import type { Timeline } from "../../src/core/timeline.ts";
import { madeClip, madeMedia } from "../made-timeline.ts";

const RATE = frameRate(25);

function clip(
  media: string,
  start: number,
  end: number,
  sourceStart = 0,
  fields: Partial<PlacedClip> = {},
): PlacedClip {
  return { kind: "video", track: 0, name: media, media, file: media, start, end, sourceStart, speed: 1, ...fields };
}

/** A clip's picture and sound. */
const both = (media: string, start: number, end: number, sourceStart = 0): PlacedClip[] => [
  clip(media, start, end, sourceStart),
  clip(media, start, end, sourceStart, { kind: "audio", track: 1 }),
];

/** Three shots of ten seconds each, and a cue in the middle of each. */
const BEFORE = [...both("a", 0, 10), ...both("b", 10, 20, 5), ...both("c", 20, 30)];
const CUES = [
  { id: "one", start: 4, end: 6 },
  { id: "two", start: 14, end: 16 },
  { id: "three", start: 24, end: 26 },
];
const conformed = (...clips: readonly PlacedClip[]) =>
  conformCues(BEFORE, clips, CUES, RATE).map(({ state, start, reason }) => [state, start, ...(reason ? [reason] : [])]);

describe("conforming to a new cut", () => {
  test("an unchanged cut leaves every cue where it is", () => {
    expect(conformed(...BEFORE)).toEqual([
      ["unchanged", 4],
      ["unchanged", 14],
      ["unchanged", 24],
    ]);
  });

  test("a ripple delete before a cue moves it, a trim of the picture under it touches it", () => {
    expect(conformed(...both("a", 0, 5), ...both("b", 5, 15, 5), ...both("c", 15, 25))).toEqual([
      ["touched", 4, "picture-cut"],
      ["moved", 9],
      ["moved", 19],
    ]);
  });

  test("a cut brought to another frame rate touches no cue whose picture is whole, to its last frame too", () => {
    const film = frameRate(24);
    const at = (frames: number, { numerator, denominator }: typeof film) => (frames * denominator) / numerator;
    // Every edge lies on a frame of 24, then on the nearest of 25.
    const cuts = [0, 241, 487, 733];
    const snapped = (frames: number) => at(Math.round(at(frames, film) * 25), RATE);
    const edges = (of: (frames: number) => number) =>
      ["a", "b", "c"].flatMap((media, index) => both(media, of(cuts[index] ?? 0), of(cuts[index + 1] ?? 0)));
    const cues = [1, 2, 3].map((index) => {
      const end = at(cuts[index] ?? 0, film);
      return { id: String(index), start: end - 2, end };
    });
    const found = conformCues(
      edges((frames) => at(frames, film)),
      edges(snapped),
      cues,
      RATE,
    );
    expect(found.map(({ state }) => state)).not.toContain("touched");
    // A whole frame of a film that keeps its rate is no rounding.
    const trimmed = [...both("a", 0, 9.96), ...both("b", 9.96, 19.96, 5), ...both("c", 19.96, 29.96)];
    const [first] = conformCues(BEFORE, trimmed, [{ id: "end", start: 8, end: 10 }], RATE);
    expect(first).toMatchObject({ state: "touched", reason: "picture-cut" });
  });

  test("an insert moves what is behind it, shots that change places take their cues along", () => {
    expect(conformed(...both("c", 0, 10), ...both("x", 10, 12), ...both("b", 12, 22, 5), ...both("a", 22, 32))).toEqual(
      [
        ["moved", 26],
        ["moved", 16],
        ["moved", 4],
      ],
    );
  });

  test("a picture that is gone orphans its cue, one that was replaced in its place is said to be", () => {
    expect(conformed(...both("a", 0, 10), ...both("x", 10, 20), ...both("c", 20, 30))[1]).toEqual([
      "orphaned",
      14,
      "media-replaced",
    ]);
    expect(conformed(...both("a", 0, 10), ...both("c", 10, 20))[1]).toEqual(["orphaned", 14, "picture-gone"]);
  });

  test("a shot at another speed touches its cue and takes it to the same moment", () => {
    const faster = [clip("b", 10, 15, 5, { speed: 2 }), clip("b", 10, 15, 5, { speed: 2, kind: "audio", track: 1 })];
    expect(conformed(...both("a", 0, 10), ...faster, ...both("c", 15, 25))[1]).toEqual([
      "touched",
      11.52,
      "speed-changed",
    ]);
  });

  test("of two places that show the same all around, the one counts that lies as the cue before went, a touched one too", () => {
    // The film stands there twice; of the first cue's picture only the second time has a part.
    const twice = [
      ...both("x", 0, 8),
      ...both("a", 8, 10, 8),
      ...both("b", 10, 20, 5),
      ...both("c", 20, 30),
      ...both("a", 30, 35),
      ...both("y", 35, 38),
      ...both("a", 38, 40, 8),
      ...both("b", 40, 50, 5),
      ...both("c", 50, 60),
    ];
    expect(conformed(...twice)).toEqual([
      ["touched", 34, "picture-cut"],
      ["moved", 44],
      ["moved", 54],
    ]);
  });

  test("other sound under the same picture touches the cue", () => {
    const music = clip("music", 13, 30, 0, { kind: "audio", track: 2 });
    expect(conformed(...BEFORE, music).map(([state, , reason]) => [state, reason])).toEqual([
      ["unchanged", undefined],
      ["touched", "sound-changed"],
      ["touched", "sound-changed"],
    ]);
  });

  test("a picture laid over another is what is seen; a title over it hides nothing", () => {
    const over = clip("x", 10, 20, 0, { track: 5 });
    expect(conformed(...BEFORE, over)[1]?.[0]).toBe("orphaned");
    const title = clip("title", 10, 20, 0, { track: 5, media: null, file: null });
    expect(conformed(...BEFORE, title)[1]).toEqual(["unchanged", 14]);
  });

  test("of two places with the same picture, the one with the same surroundings counts", () => {
    const twice = [...both("b", 0, 10, 5), ...both("a", 10, 20), ...both("b", 20, 30, 5), ...both("c", 30, 40)];
    expect(conformed(...twice)[1]).toEqual(["moved", 24]);
  });

  test("a project in another folder is the same cut, a single file from another folder is not", () => {
    const elsewhere = BEFORE.map((one) => ({ ...one, media: `other ${one.media}` }));
    expect(conformed(...elsewhere).map(([state]) => state)).toEqual(["unchanged", "unchanged", "unchanged"]);
    const oneElsewhere = BEFORE.map((one) => (one.media === "b" ? { ...one, media: "other b" } : one));
    expect(conformed(...oneElsewhere).map(([state]) => state)).toEqual(["unchanged", "orphaned", "unchanged"]);
  });

  test("a cut inside a nested sequence is a cut", () => {
    const nested = (inner: Timeline): Timeline => ({
      ...inner,
      tracks: [
        {
          kind: "video",
          name: "V1",
          isEnabled: true,
          transitions: [],
          clips: [
            {
              name: "nest",
              start: 2,
              end: 32,
              isEnabled: true,
              sourceStart: 0,
              speed: 1,
              source: { kind: "nested", timeline: inner },
              effects: [],
              markers: [],
            },
          ],
        },
      ],
    });
    const inner = (shots: readonly (readonly [string, number, number])[]): Timeline => ({
      name: "inner",
      rate: RATE,
      isDropFrame: false,
      startFrame: 0,
      markers: [],
      tracks: [
        {
          kind: "video",
          name: "V1",
          isEnabled: true,
          transitions: [],
          clips: shots.map(([name, start, end]) =>
            madeClip(madeMedia(name, { location: `/m/${name}`, audioChannels: 0 }), start, end),
          ),
        },
      ],
    });
    const old = layoutOf(
      nested(
        inner([
          ["a", 0, 10],
          ["b", 10, 20],
        ]),
      ),
      "",
    );
    const now = layoutOf(
      nested(
        inner([
          ["a", 0, 7],
          ["b", 7, 17],
        ]),
      ),
      "",
    );
    const cues = [
      { id: "one", start: 4, end: 6 },
      { id: "two", start: 15, end: 16 },
    ];
    expect(conformCues(old, now, cues, RATE)).toMatchObject([{ state: "unchanged" }, { state: "moved", start: 12 }]);
  });
});
