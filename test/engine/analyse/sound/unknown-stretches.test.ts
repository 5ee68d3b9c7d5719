import { describe, expect, test } from "vitest";
import { LazyDetection, unknownSound, withUnknown } from "../../../../src/engine/analyse/sound/analyse-sound.ts";
import { MISSING_SECONDS } from "../../../../src/engine/ffmpeg/probe/probe.ts";

type Facts = NonNullable<Parameters<typeof unknownSound>[2]>;

/** A sound whose header states where it begins and how long it is. */
const stated = (startSeconds: number, durationSeconds: number | null): Facts => ({
  sound: { startSeconds, durationSeconds } as NonNullable<Facts["sound"]>,
  unreadSound: null,
});

describe("where it is not known what is heard", () => {
  const whole = { soundSeconds: 60, holes: [] };

  test("is nowhere in a sound that could be decoded to its end", () => {
    expect(unknownSound(whole, 60)).toEqual([]);
    expect(unknownSound(whole, 60, stated(0, 60))).toEqual([]);
    expect(unknownSound(whole, 60, stated(0, null))).toEqual([]);
  });

  test("is every hole, in order and inside the programme", () => {
    const holes = [
      { start: 40, end: 45 },
      { start: 10, end: 12 },
      { start: 11, end: 14 },
      { start: 58, end: 70 },
    ];
    expect(unknownSound({ soundSeconds: 60, holes }, 60, stated(0, 60))).toEqual([
      { start: 10, end: 14 },
      { start: 40, end: 45 },
      { start: 58, end: 60 },
    ]);
  });

  test("is what the header states beyond the last sound, where that is more than a rounding", () => {
    const until = (soundSeconds: number, facts: Facts, durationSeconds = 60) =>
      unknownSound({ soundSeconds, holes: [] }, durationSeconds, facts);
    expect(until(50, stated(0, 60))).toEqual([{ start: 50, end: 60 }]);
    expect(until(60 - MISSING_SECONDS, stated(0, 60))).toEqual([]);
    expect(until(59.99 - MISSING_SECONDS, stated(0, 60))).toHaveLength(1);
    // The sound begins later than the picture: its length counts from there.
    expect(until(50, stated(2, 50))).toEqual([{ start: 50, end: 52 }]);
    // Of a sound of which nothing could be decoded at all, the time before it begins is known.
    expect(until(0, stated(20, 30))).toEqual([{ start: 20, end: 50 }]);
    // What is stated beyond the programme's own end is no part of it.
    expect(until(50, stated(0, 90))).toEqual([{ start: 50, end: 60 }]);
    expect(until(60, stated(0, 90))).toEqual([]);
  });

  test("is everywhere in a sound that nobody decodes", () => {
    const unread: Facts = { sound: null, unreadSound: "apac" };
    expect(unknownSound({ soundSeconds: 0, holes: [] }, 60, unread)).toEqual([{ start: 0, end: 60 }]);
    expect(unknownSound({ soundSeconds: 0, holes: [] }, 0, unread)).toEqual([]);
  });

  test("is no silence, and changes nothing else that was heard", () => {
    const heard = {
      ...{ speech: [{ start: 1, end: 2, confidence: 0.9 }], music: [] },
      silence: [
        { start: 5, end: 20 },
        { start: 30, end: 35 },
      ],
    };
    expect(withUnknown(heard, [])).toBe(heard);
    const unknown = [
      { start: 10, end: 12 },
      { start: 30, end: 40 },
    ];
    expect(withUnknown(heard, unknown)).toEqual({
      ...{ speech: heard.speech, music: [], unknown },
      silence: [
        { start: 5, end: 10 },
        { start: 12, end: 20 },
      ],
    });
  });

  test("a programme in which no sound came is silent throughout", async () => {
    await using detection = new LazyDetection();
    expect(await detection.finish(60)).toEqual({ speech: [], music: [], silence: [{ start: 0, end: 60 }] });
    expect((await detection.finish(0)).silence).toEqual([]);
  });
});
