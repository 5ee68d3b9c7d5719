import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_PCM_S16LE,
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_STILL_IMAGE,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from "node-av/constants";
import type { FormatContext, Stream } from "node-av/lib";
import { describe, expect, test } from "vitest";
import {
  isOtherSound,
  originSeconds,
  pictureStream,
  soundStream,
  soundTracks,
} from "../../../../src/engine/ffmpeg/probe/media-streams.ts";

/** A stream as a file tells of it. */
interface Told {
  readonly flags?: readonly number[];
  readonly title?: string;
  readonly handler?: string;
  readonly size?: number;
  readonly channels?: number;
}

function streamOf(type: number, index: number, { flags = [], title, handler, size = 100, channels = 2 }: Told): Stream {
  const isPicture = type === AVMEDIA_TYPE_VIDEO;
  const stream = {
    index,
    hasDisposition: (flag: number) => flags.includes(flag),
    metadata: { getAll: () => ({ title, handler_name: handler }) },
    codecpar: {
      codecType: type,
      codecId: isPicture ? AV_CODEC_ID_H264 : AV_CODEC_ID_PCM_S16LE,
      ...{ width: size, height: size, sampleRate: 48_000, channels },
    },
  };
  return stream as unknown as Stream; // what is read of a stream
}

/** A file with these streams, of which FFmpeg prefers one. */
function fileOf(streams: readonly Stream[], best = -1): FormatContext {
  return { streams, findBestStream: () => best } as unknown as FormatContext; // what is read of a file
}
const sound = (index: number, told: Told = {}) => streamOf(AVMEDIA_TYPE_AUDIO, index, told);
const picture = (index: number, told: Told = {}) => streamOf(AVMEDIA_TYPE_VIDEO, index, told);
const byDefault = { flags: [AV_DISPOSITION_DEFAULT] };

describe("the picture of a programme", () => {
  const taken = (streams: readonly Stream[], best?: number) => pictureStream(fileOf(streams, best))?.index ?? null;

  test("is the one that FFmpeg prefers, else the first, and one that is marked before either", () => {
    expect(taken([picture(0), picture(1), picture(2)])).toBe(0);
    expect(taken([picture(0), picture(1), picture(2)], 2)).toBe(2);
    expect(taken([picture(0), picture(1, byDefault), picture(2)], 2)).toBe(1);
    expect(taken([picture(0), picture(1, byDefault), picture(2, byDefault)], 2)).toBe(2);
  });

  test("is never a still, a sound, or one without a size", () => {
    for (const flag of [AV_DISPOSITION_ATTACHED_PIC, AV_DISPOSITION_TIMED_THUMBNAILS, AV_DISPOSITION_STILL_IMAGE]) {
      const still = picture(0, { flags: [flag, AV_DISPOSITION_DEFAULT] });
      expect(taken([still, sound(1), picture(2, { size: 0 }), picture(3)], 0)).toBe(3);
      expect(taken([still, sound(1)], 0)).toBeNull();
    }
  });
});

describe("the sound of a programme", () => {
  const taken = (streams: readonly Stream[], best?: number) => soundStream(fileOf(streams, best))?.index ?? null;

  test("is no commentary and no description while there is another, by its flags, its title or its handler", () => {
    const comment = sound(0, { flags: [AV_DISPOSITION_COMMENT] });
    const titled = sound(1, { title: "Director's commentary" });
    const handled = sound(2, { handler: "Audio description" });
    expect([comment, titled, handled, sound(3)].map(isOtherSound)).toEqual([true, true, true, false]);
    expect(taken([comment, titled, handled, sound(3)], 0)).toBe(3);
    expect(taken([comment, titled], 1)).toBe(1);
  });

  test("has samples", () => {
    expect(taken([picture(0), sound(1, { channels: 0 }), sound(2)], 1)).toBe(2);
    expect(taken([picture(0), sound(1, { channels: 0 })], 1)).toBeNull();
  });

  test("stands among its tracks in the order of the file", () => {
    const streams = [sound(0), picture(1), sound(2), sound(3)];
    expect(soundTracks(fileOf(streams)).map(({ index }) => index)).toEqual([0, 2, 3]);
  });
});

test("a programme begins with the earlier of its picture and its sound", () => {
  const from = (ticks: bigint) => ({ startTime: ticks, timeBase: { num: 1, den: 1_000 } }) as Stream; // its clock
  expect(originSeconds(from(2_000n), from(1_500n))).toBe(1.5);
  expect(originSeconds(from(500n), from(1_500n))).toBe(0.5);
  expect(originSeconds(null, from(1_500n))).toBe(1.5);
  expect(originSeconds(null, null)).toBe(0);
});
