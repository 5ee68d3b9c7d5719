import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConformedCue, conformCues } from "../../src/core/conform.ts";
import { frameRate } from "../../src/core/frame-rate.ts";
import type { PlacedClip } from "../../src/core/layout.ts";

const FRAMES_A_SECOND = 25;
const RATE = frameRate(FRAMES_A_SECOND);

/** A shot in frames: of which media, from which of its frames on, and how many. */
interface Shot {
  readonly media: string;
  readonly from: number;
  readonly frames: number;
}

function clip(kind: "video" | "audio", { media, from, frames }: Shot, at: number, speed = 1): PlacedClip {
  const [start, end, sourceStart] = [at, at + frames, from].map((frame) => frame / FRAMES_A_SECOND) as [
    number,
    number,
    number,
  ];
  return { kind, track: 0, name: media, media, file: media, start, end, sourceStart, speed };
}

/** Shots one after another, as picture and, where wanted, as sound. */
function cut(shots: readonly Shot[], ...kinds: readonly ("video" | "audio")[]): PlacedClip[] {
  let at = 0;
  return shots.flatMap((shot) => {
    const clips = kinds.map((kind) => clip(kind, shot, at));
    at += shot.frames;
    return clips;
  });
}

/** What each frame of a cut shows: no two frames of these cuts show the same. */
const shown = (shots: readonly Shot[]) =>
  shots.flatMap(({ media, from, frames }) => Array.from({ length: frames }, (_, index) => `${media} ${from + index}`));

const cutAndRecut = fc
  .array(fc.record({ from: fc.nat(40), frames: fc.integer({ min: 8, max: 60 }) }), { minLength: 2, maxLength: 6 })
  .map((shots) => shots.map((shot, index): Shot => ({ ...shot, media: `m${index}` })))
  .chain((old) => {
    const trimmed = (shot: Shot) =>
      fc.record({ head: fc.constantFrom(0, 0, 0, 1, 5), tail: fc.constantFrom(0, 0, 0, 1, 6) }).map(
        ({ head, tail }): Shot => ({
          ...shot,
          from: shot.from + head,
          frames: shot.frames - Math.min(6, head + tail),
        }),
      );
    const kept = fc.oneof(fc.subarray(old), fc.shuffledSubarray(old)).chain((some) => fc.tuple(...some.map(trimmed)));
    const added = fc.record({ at: fc.nat(6), frames: fc.integer({ min: 1, max: 30 }) });
    return fc.record({ old: fc.constant(old), kept, added: fc.option(added, { nil: null }) });
  })
  .map(({ old, kept, added }) => {
    const now: Shot[] = [...kept];
    if (added !== null) now.splice(added.at, 0, { media: "new", from: 0, frames: added.frames });
    return { old, now };
  });
const cues = fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 3, max: 80 })), { minLength: 1, maxLength: 4 });

const inFrames = (seconds: number) => seconds * FRAMES_A_SECOND;
const isWhole = (frames: number) => Math.abs(frames - Math.round(frames)) < 1e-6;

/** How many frames of a range of the old cut are shown so many frames later in the new one. */
function found(old: readonly string[], now: readonly string[], from: number, to: number, shift: number): number {
  let count = 0;
  for (let frame = from; frame < to; frame++) {
    if (old[frame] !== undefined && old[frame] === now[frame + shift]) count++;
  }
  return count;
}

describe("conforming is about frames", () => {
  const law = (kinds: readonly ("video" | "audio")[], check: (cue: ConformedCue, was: Found) => void) =>
    fc.assert(
      fc.property(cutAndRecut, cues, ({ old, now }, wanted) => {
        const [before, after] = [shown(old), shown(now)];
        const placed = wanted.flatMap(([start, length], index) => {
          const from = Math.min(start, before.length - 3);
          const to = Math.min(before.length, from + length);
          return [{ id: `${index}`, from, to, start: from / FRAMES_A_SECOND, end: to / FRAMES_A_SECOND }];
        });
        const conformed = conformCues(cut(old, ...kinds), cut(now, ...kinds), placed, RATE);
        expect(conformed.map(({ cueId }) => cueId)).toEqual(placed.map(({ id }) => id));
        for (const [index, cue] of conformed.entries()) {
          const range = placed[index] ?? { from: 0, to: 0, start: 0, end: 0 };
          check(cue, { ...range, before, after });
        }
      }),
      { numRuns: 200 },
    );
  interface Found {
    readonly from: number;
    readonly to: number;
    readonly start: number;
    readonly end: number;
    readonly before: readonly string[];
    readonly after: readonly string[];
  }

  test("a cue goes where most frames of its picture went, and is said to be whole exactly where all of them did", () => {
    law(["video"], ({ state, start, end, found: share, reason }, { from, to, before, after, ...was }) => {
      const counts = new Map<number, number>();
      for (let frame = from; frame < to; frame++) {
        const at = after.indexOf(before[frame] ?? "");
        if (at >= 0) counts.set(at - frame, (counts.get(at - frame) ?? 0) + 1);
      }
      const most = Math.max(0, ...counts.values());
      expect(share).toBeCloseTo(most / (to - from), 6);
      expect(end - start).toBeCloseTo(was.end - was.start, 9);
      expect(isWhole(inFrames(start))).toBe(true);
      if (most === 0) {
        expect(state).toBe("orphaned");
        expect(["picture-gone", "media-replaced"]).toContain(reason);
        expect([start, end]).toEqual([was.start, was.end]);
        return;
      }
      const places = [...counts].filter(([, count]) => count === most).map(([shift]) => Math.max(0, from + shift));
      expect(places).toContain(Math.round(inFrames(start)));
      if (most < to - from) expect({ state, reason }).toEqual({ state: "touched", reason: "picture-cut" });
      else {
        expect(reason).toBeUndefined();
        expect(state).toBe(Math.round(inFrames(start)) === from ? "unchanged" : "moved");
      }
    });
  });

  test("a cue under which the picture is whole is touched by other sound as near as a next line may be, and no farther", () => {
    law(["video", "audio"], ({ state, start, reason }, { from, to, before, after }) => {
      const shift = Math.round(inFrames(start)) - from;
      if (state === "orphaned" || found(before, after, from, to, shift) < to - from) return;
      // 0.35 s are 8.75 frames; a frame more or less at an edge is the grid's.
      const differ = (around: number) => {
        let count = 0;
        for (let frame = from - around; frame < to + around; frame++)
          if (before[frame] !== after[frame + shift]) count++;
        return count;
      };
      if (differ(10) === 0) expect(reason).toBeUndefined();
      if (differ(7) > 1) expect({ state, reason }).toEqual({ state: "touched", reason: "sound-changed" });
    });
  });
});

describe("of several places that show the same", () => {
  const A: Shot = { media: "a", from: 0, frames: 500 };
  const P: Shot = { media: "p", from: 0, frames: 100 };
  const other = (frames: number): Shot => ({ media: `x${frames}`, from: 0, frames });
  const CUES = [
    { id: "p", start: 1, end: 2 },
    { id: "a", start: 14, end: 16 },
  ];
  const shifts = (now: readonly Shot[], wanted = CUES) =>
    conformCues(cut([P, A], "video"), cut(now, "video"), wanted, RATE).map(({ start }, index) =>
      Math.round(inFrames(start - (wanted[index]?.start ?? 0))),
    );

  test("it is the one nearest to where the cue before it went, whichever comes first", () => {
    // The shot before went 550 frames on; the long one is shown 100 frames earlier, and 575 later.
    expect(shifts([A, other(50), P, other(25), A])).toEqual([550, 575]);
    expect(shifts([A, P, A])).toEqual([500, 500]);
    expect(shifts([P, other(30), A, other(25), A])).toEqual([0, 30]);
  });

  test("with the same surroundings it is that one, however far it lies", () => {
    const early = [{ id: "a", start: 4.2, end: 5 }];
    expect(shifts([A, other(200), P, A], early)).toEqual([700]);
  });
});

describe("how near is the same", () => {
  const SHOT: Shot = { media: "a", from: 100, frames: 250 };
  const CUE = { id: "a", start: 4, end: 6 };
  const conformed = (now: PlacedClip, before = clip("video", SHOT, 0), cue = CUE) =>
    conformCues([before], [now], [cue], RATE)[0];

  test("half a frame of the source is no other picture, a frame is", () => {
    const slipped = (frames: number) => conformed(clip("video", { ...SHOT, from: SHOT.from + frames }, 0));
    expect(slipped(0.4)?.state).toBe("unchanged");
    expect(slipped(1)).toMatchObject({ state: "moved", start: 4 - 1 / FRAMES_A_SECOND });
    expect(slipped(-3)).toMatchObject({ state: "moved", start: 4 + 3 / FRAMES_A_SECOND });
  });

  test("a speed rounded to three places is the same, one per cent more is another", () => {
    expect(conformed(clip("video", SHOT, 0, 1.0004))?.state).toBe("unchanged");
    expect(conformed(clip("video", SHOT, 0, 1.01))).toMatchObject({ state: "touched", reason: "speed-changed" });
  });

  test("at another speed a cue goes to the middle of its picture, on a frame, and never before the film", () => {
    const doubled = conformed(clip("video", { ...SHOT, frames: 125 }, 0, 2));
    // The middle of the cue, 5 s into the shot, is shown after 2.5 s.
    expect(doubled).toMatchObject({ state: "touched", start: 1.52, end: 3.52, found: 0 });
    const early = { id: "a", start: 0, end: 2 };
    expect(conformed(clip("video", SHOT, 0, 2), undefined, early)).toMatchObject({ start: 0, end: 2 });
    expect(conformed(clip("video", { ...SHOT, from: 349, frames: 250 }, 0, -1))).toMatchObject({
      reason: "speed-changed",
    });
  });

  test("a held picture is the same at every time of it, and black proves nothing by itself", () => {
    const held = (frames: number) => clip("video", { ...SHOT, frames }, 0, 0);
    expect(conformed(held(200), held(250))).toMatchObject({ state: "unchanged", found: 1 });
    const black = (start: number) =>
      conformCues(
        [clip("video", SHOT, 200), clip("video", { ...SHOT, media: "b" }, 500)],
        [clip("video", SHOT, start), clip("video", { ...SHOT, media: "b" }, start + 300)],
        [{ id: "black", start: 1, end: 3 }],
        RATE,
      )[0];
    expect(black(200)).toMatchObject({ state: "unchanged" });
    expect(black(150)).toMatchObject({ state: "touched", reason: "no-picture" });
    expect(conformCues([], [], [CUE], RATE)[0]).toMatchObject({ state: "orphaned", reason: "no-picture", start: 4 });
  });

  test("a shot replaced from in to out is told from one that is gone", () => {
    const [before, after] = [
      [SHOT, { ...SHOT, media: "b" }],
      [
        { ...SHOT, media: "x" },
        { ...SHOT, media: "b" },
      ],
    ];
    const reasonOf = (now: readonly Shot[]) =>
      conformCues(cut(before, "video"), cut(now, "video"), [CUE], RATE)[0]?.reason;
    expect(reasonOf(after)).toBe("media-replaced");
    expect(
      reasonOf([
        { ...SHOT, media: "x", frames: 260 },
        { ...SHOT, media: "b" },
      ]),
    ).toBe("picture-gone");
    expect(reasonOf([{ ...SHOT, media: "b" }])).toBe("picture-gone");
    expect(
      reasonOf([
        { ...SHOT, media: "y", frames: 10 },
        { ...SHOT, media: "x" },
        { ...SHOT, media: "b" },
      ]),
    ).toBe("picture-gone");
  });
});
