import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openMedia } from "../../../src/engine/ffmpeg/open.ts";
import {
  type BroadcastExtension,
  broadcastBytes,
  codingHistoryLine,
  readBroadcast,
} from "../../../src/formats/wave/broadcast-extension.ts";
import { waveHeader } from "../../../src/formats/wave/write-wave.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const FULL: BroadcastExtension = {
  description: "Harbour: audio description alone (en-GB)",
  originator: "Aside",
  originatorReference: "HARBOUR-0107",
  timeReferenceSamples: 48_000 * 36_000,
  origination: { date: "2026-11-23", time: "21:04:59" },
  loudness: { integratedLufs: -23.01, rangeLu: 6.5, truePeakDbtp: -3.2, momentaryLufs: -15.5, shortTermLufs: -18.25 },
  codingHistory: [
    "A=PCM,F=44100,W=16,M=mono,T=recorder",
    codingHistoryLine({ sampleRate: 48_000, bits: 24, channels: 2 }, "Aside"),
  ],
};

describe("the broadcast extension", () => {
  // EBU Tech 3285 version 2, section 2.3: field, first byte, length.
  test.each([
    ["Description", 0, 256, FULL.description],
    ["Originator", 256, 32, "Aside"],
    ["OriginatorReference", 288, 32, "HARBOUR-0107"],
    ["OriginationDate", 320, 10, "2026-11-23"],
    ["OriginationTime", 330, 8, "21:04:59"],
    ["UMID, none", 348, 64, ""],
    ["Reserved", 422, 180, ""],
    [
      "CodingHistory",
      602,
      Number.POSITIVE_INFINITY,
      "A=PCM,F=44100,W=16,M=mono,T=recorder\r\nA=PCM,F=48000,W=24,M=stereo,T=Aside\r\n",
    ],
  ])("holds %s from byte %d", (_field, from, length, text) => {
    const bytes = Buffer.from(broadcastBytes(FULL));
    expect(
      bytes
        .subarray(from, from + length)
        .toString("latin1")
        .replace(/\0+$/, ""),
    ).toBe(text);
  });

  test("holds time reference, version and loudness in hundredths, little end first", () => {
    const bytes = Buffer.from(broadcastBytes(FULL));
    expect(bytes.readBigUInt64LE(338)).toBe(1_728_000_000n);
    expect(bytes.readUInt16LE(346)).toBe(2);
    expect([412, 414, 416, 418, 420].map((at) => bytes.readInt16LE(at))).toEqual([-2301, 650, -320, -1550, -1825]);
  });

  test("is read as it was written, and what is not stated is not read", () => {
    expect(readBroadcast(broadcastBytes(FULL))).toEqual(FULL);
    const bare = { description: "", originator: "", timeReferenceSamples: 0 };
    expect(readBroadcast(broadcastBytes(bare))).toEqual(bare);
    // Version 0 holds no loudness: there the bytes are reserved.
    const old = broadcastBytes(FULL);
    old[346] = 0;
    expect(readBroadcast(old)?.loudness).toBeUndefined();
    expect(readBroadcast(broadcastBytes(FULL).subarray(0, 345))).toBeNull();
  });

  test("states a loudness where all of it but the range is there, in the hundredths that two bytes hold", () => {
    const said = FULL.loudness;
    if (said === undefined) throw new Error("no loudness");
    const back = (loudness: object) =>
      readBroadcast(broadcastBytes({ ...FULL, loudness: { ...said, ...loudness } }))?.loudness;
    const { rangeLu: _range, ...rest } = said;
    expect(back({ rangeLu: undefined })).toEqual(rest);
    for (const one of ["integratedLufs", "truePeakDbtp", "momentaryLufs", "shortTermLufs"]) {
      for (const none of [Number.NEGATIVE_INFINITY, Number.NaN, undefined])
        expect(back({ [one]: none }), one).toBeUndefined();
    }
    expect(back({ integratedLufs: 900, truePeakDbtp: -900, momentaryLufs: -23.456 })).toMatchObject({
      ...{ integratedLufs: 327.66, truePeakDbtp: -327.68, momentaryLufs: -23.46 },
    });
    const bytes = broadcastBytes(FULL);
    expect(readBroadcast(bytes.subarray(0, 601))?.loudness).toBeUndefined();
    expect(readBroadcast(bytes.subarray(0, 602))?.loudness).toEqual(said);
    expect(readBroadcast(bytes.subarray(0, 346))?.timeReferenceSamples).toBe(FULL.timeReferenceSamples);
  });

  test("cuts a text to its field, and writes a time before midnight as midnight", () => {
    const long = "x".repeat(300);
    const read = readBroadcast(
      broadcastBytes({
        ...{
          description: `${long}\u00e9`,
          originator: "\u00e9a\u007f\u001f~ ",
          originatorReference: long,
          timeReferenceSamples: -5.4,
        },
        origination: { date: `2026-11-23${long}`, time: `21:04:59${long}` },
      }),
    );
    expect(read).toEqual({
      ...{
        description: "x".repeat(256),
        originator: "?a??~",
        originatorReference: "x".repeat(32),
        timeReferenceSamples: 0,
      },
      origination: { date: "2026-11-23", time: "21:04:59" },
    });
  });

  test("reads a date with any of the separators that the standard names, and none that is no date", () => {
    const dated = (date: string) => readBroadcast(broadcastBytes({ ...FULL, origination: { date, time: "10.11.12" } }));
    for (const date of ["2026-11-23", "2026_11_23", "2026:11:23", "2026 11 23", "2026.11.23"]) {
      expect(dated(date)?.origination).toEqual({ date: "2026-11-23", time: "10:11:12" });
    }
    for (const none of ["yesterday", "12026-11-23", "2026-11-2", "2026--11-23"])
      expect(dated(none)?.origination).toBeUndefined();
    const timed = (time: string) =>
      readBroadcast(broadcastBytes({ ...FULL, origination: { date: "2026-11-23", time } }));
    for (const none of ["", "10.11", "1:10:11"]) expect(timed(none)?.origination).toBeUndefined();
  });

  test("survives any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => {
        const read = readBroadcast(bytes);
        if (read !== null) expect(readBroadcast(broadcastBytes(read))).not.toBeNull();
      }),
    );
  });

  test("is what FFmpeg reads", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "a.wav");
    const format = { channels: 2, sampleRate: 48_000, encoding: "integer", bits: 24, channelMask: 3 } as const;
    await writeFile(path, [waveHeader({ format, sampleCount: 480, broadcast: FULL }), Buffer.alloc(480 * 6)]);
    using media = await openMedia(path);
    expect(media.context.metadata?.getAll()).toMatchObject({
      comment: FULL.description,
      encoded_by: "Aside",
      originator_reference: "HARBOUR-0107",
      date: "2026-11-23",
      creation_time: "21:04:59",
      time_reference: "1728000000",
      coding_history: "A=PCM,F=44100,W=16,M=mono,T=recorder\r\nA=PCM,F=48000,W=24,M=stereo,T=Aside\r\n",
    });
  });
});

describe("a line of the coding history", () => {
  test.each([
    [1, "A=PCM,F=48000,W=24,M=mono,T=a; b"],
    [2, "A=PCM,F=48000,W=24,M=stereo,T=a; b"],
    [6, "A=PCM,F=48000,W=24,T=a; b"],
  ])("of %d channels keeps its fields apart by commas alone", (channels, line) => {
    expect(codingHistoryLine({ sampleRate: 48_000, bits: 24, channels }, "a,\r\n b")).toBe(line);
  });
});
