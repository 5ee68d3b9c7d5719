import { describe, expect, test } from "vitest";
import { admTracks, hasProgrammePack, writeAdm } from "../../../src/formats/adm/write-adm.ts";
import { readWaveHeader } from "../../../src/formats/wave/read-wave.ts";
import { waveHeader } from "../../../src/formats/wave/write-wave.ts";
import { chunkOf, chunksOf } from "../wave/wave-chunks.ts";

const CONTENTS = { title: "Harbour <7>", language: "de-AT", programmeChannels: 6, seconds: 3725.5 } as const;

/** Every value of an attribute or an element in a text. */
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, value]) => value);

describe("an audio definition", () => {
  test.each([1, 2, 6] as const)("of %d programme channels refers to nothing that is not there", (programmeChannels) => {
    const text = writeAdm({ ...CONTENTS, programmeChannels });
    const made = all(text, /<audio\w+ (?:audio\w+ID|UID)="([^"]+)"/g);
    expect(new Set(made).size).toBe(made.length);
    // What begins with four zeros in its number is a common definition (BS.2094).
    const common = /^A[PT]_0001000\d(?:_01)?$/;
    const references = all(text, /<audio\w+IDRef>([^<]+)</g).concat(all(text, /<audioTrackUIDRef>([^<]+)</g));
    expect(references.filter((one = "") => !made.includes(one) && !common.test(one))).toEqual([]);
    expect(all(text, /<audioTrackUIDRef>([^<]+)</g)).toEqual(admTracks({ programmeChannels }).map(({ uid }) => uid));
  });

  test("tells the description apart: its own object, its kind, a programme with it and one without", () => {
    const text = writeAdm(CONTENTS);
    expect(text).toContain(
      'audioProgrammeName="Harbour &lt;7&gt;, with audio description" audioProgrammeLanguage="de-AT"',
    );
    expect(text).toContain('<dialogue dialogueContentKind="4">1</dialogue>');
    const programmes = text
      .split("<audioProgramme ")
      .slice(1)
      .map((one) => all(one.split("</audioProgramme>")[0] ?? "", /Ref>(ACO_\d+)</g));
    expect(programmes).toEqual([["ACO_1001"], ["ACO_1001", "ACO_1002"]]);
    expect(text).toMatch(
      /<audioObject audioObjectID="AO_1002"[^>]*duration="01:02:05.50000">\s+<audioPackFormatIDRef>AP_00031001<\/audioPackFormatIDRef>\s+<audioTrackUIDRef>ATU_00000007</,
    );
  });

  test("knows the places of mono, stereo and 5.1 alone", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8].filter(hasProgrammePack)).toEqual([1, 2, 6]);
  });
});

describe("a file with a definition", () => {
  const format = { channels: 7, sampleRate: 48_000, encoding: "integer", bits: 24, channelMask: 0 } as const;
  const definition = { xml: writeAdm(CONTENTS), tracks: admTracks(CONTENTS) };

  test("lists its channels as BS.2088 has it, before the samples", () => {
    const header = Buffer.from(waveHeader({ format, sampleCount: 0, definition }));
    expect(chunksOf(header).map(({ id }) => id)).toEqual(["JUNK", "chna", "axml", "fmt ", "data"]);
    expect(chunkOf(header, "axml").toString("utf8")).toBe(definition.xml);
    const chna = chunkOf(header, "chna");
    expect([chna.length, chna.readUInt16LE(0), chna.readUInt16LE(2)]).toEqual([4 + 7 * 40, 7, 7]);
    const row = chna.subarray(4 + 6 * 40, 4 + 7 * 40);
    expect(row.readUInt16LE(0)).toBe(7);
    // Identifier of 12 bytes, track of 14, pack of 11, and one to fill up.
    expect([
      row.toString("latin1", 2, 14),
      row.toString("latin1", 14, 28),
      row.toString("latin1", 28, 39),
      row[39],
    ]).toEqual(["ATU_00000007", "AT_00031001_01", "AP_00031001", 0]);
  });

  test("is BW64 above 4 GiB, and read all the same", () => {
    const sampleCount = 2 ** 28;
    const header = Buffer.from(waveHeader({ format, sampleCount, definition }));
    expect(header.toString("latin1", 0, 4)).toBe("BW64");
    expect(header.toString("latin1", 12, 16)).toBe("ds64");
    expect(readWaveHeader(header)).toMatchObject({ ok: true, layout: { dataBytes: sampleCount * 21 } });
  });
});
