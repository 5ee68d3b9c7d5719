import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  readAvcSetUp,
  readSliceSyntax,
  type SliceSyntax,
  UNIT,
  unitKind,
  unitsAfterStartCodes,
  unitsOf,
} from "../../../../src/engine/ffmpeg/splice/h264/parameter-sets.ts";
import { rewriteSlice } from "../../../../src/engine/ffmpeg/splice/h264/slice-header.ts";
import { pictureSet, type SliceContent, sequenceSet, sliceOf, USUAL } from "./h264-syntax.ts";

/** How slices may be written, apart from what stands behind their headers. */
const SYNTAX = fc.record({
  pictureSetId: fc.integer({ min: 0, max: 255 }),
  frameNumberBits: fc.integer({ min: 4, max: 16 }),
  orderBits: fc.option(fc.integer({ min: 4, max: 16 }), { nil: null }),
  hasFieldOrder: fc.boolean(),
  hasWeights: fc.boolean(),
  initialQp: fc.integer({ min: 10, max: 40 }),
  hasDeblocking: fc.boolean(),
});

/** What stands behind the headers: the same in both. */
const BLOCKS = fc.record({
  isArithmetic: fc.boolean(),
  transforms8x8: fc.boolean(),
  chromaOffsets: fc.tuple(fc.integer({ min: -12, max: 12 }), fc.integer({ min: -12, max: 12 })),
  blocks: fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 })),
});

const CONTENT: fc.Arbitrary<SliceContent> = fc.record({
  firstBlock: fc.integer({ min: 0, max: 9_000 }),
  type: fc.constantFrom(0, 2, 5, 7),
  isIdr: fc.boolean(),
  qp: fc.integer({ min: 0, max: 51 }),
  filter: fc.constantFrom(0, 1, 2),
  filterOffsets: fc.tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: -6, max: 6 })),
  contexts: fc.integer({ min: 0, max: 2 }),
  blocks: fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 }),
  references: fc.option(fc.constant(0), { nil: undefined }),
});

describe("the sets of a stream", () => {
  test("tell how its slices are written", () => {
    fc.assert(
      fc.property(SYNTAX, BLOCKS, fc.constantFrom(66, 77, 100), fc.nat(31), (head, body, profile, id) => {
        const syntax = { ...head, ...body };
        const sets = [sequenceSet(syntax, { profile, id }), pictureSet(syntax, { sequenceSetId: id })] as const;
        expect(readSliceSyntax(...sets)).toEqual(syntax);
      }),
    );
  });

  test("need not tell of what older profiles lack", () => {
    const syntax = { ...USUAL, chromaOffsets: [-2, -2] as const };
    expect(readSliceSyntax(sequenceSet(syntax), pictureSet(syntax, { isShort: true }))).toEqual(syntax);
  });

  test.each([
    ["fields", { isProgressive: false }, {}],
    ["colours of 4:2:2", { profile: 122, chroma: 2 }, {}],
    ["ten bits of brightness", { profile: 110, extraBits: [2, 0] as const }, {}],
    ["ten bits of colour", { profile: 110, extraBits: [0, 2] as const }, {}],
    ["no loss", { profile: 244, isLossless: true }, {}],
    ["scaling of the sequence's own", { profile: 100, hasScaling: true }, {}],
    ["an order that is counted on", { orderKind: 1 }, {}],
    ["an order that nobody knows", { orderKind: 3 }, {}],
    ["no reference", { references: 0 }, {}],
    ["a left edge that is cut off", { cropped: [1, 0] as const }, {}],
    ["an upper edge that is cut off", { cropped: [0, 1] as const }, {}],
    ["another sequence set", { id: 1 }, {}],
    ["groups of slices", {}, { groups: 1 }],
    ["constrained prediction", {}, { isConstrained: true }],
    ["slices that come twice", {}, { hasRedundant: true }],
    ["scaling of the picture's own", {}, { hasScaling: true }],
  ])("are none that are read with %s", (_, sequence, picture) => {
    expect(readSliceSyntax(sequenceSet(USUAL), pictureSet(USUAL))).toEqual(USUAL);
    expect(readSliceSyntax(sequenceSet(USUAL, sequence), pictureSet(USUAL, picture))).toBeNull();
  });

  test("may cut off the right and lower edge, as 1080 lines of 1088 do", () => {
    expect(readSliceSyntax(sequenceSet(USUAL, { cropped: [0, 0] }), pictureSet(USUAL))).toEqual(USUAL);
  });

  test("are found in front of a track, each of its length, of several too", () => {
    const sets = [
      Uint8Array.of(0x67, 1, 2, 3),
      Uint8Array.of(0x67, 9),
      Uint8Array.of(0x68, ...new Uint8Array(300).fill(7)),
    ];
    const listed = (some: readonly Uint8Array[]) => some.flatMap((set) => [set.length >> 8, set.length & 255, ...set]);
    const bytes = Uint8Array.of(1, 77, 0, 30, 0xff, 0xe2, ...listed(sets.slice(0, 2)), 1, ...listed(sets.slice(2)));
    expect(readAvcSetUp(bytes)).toEqual({ lengthBytes: 4, sequenceSets: sets.slice(0, 2), pictureSets: sets.slice(2) });
    bytes[4] = 0xfd;
    expect(readAvcSetUp(bytes)?.lengthBytes).toBe(2);
    expect(readAvcSetUp(Uint8Array.of(0, ...bytes.subarray(1)))).toBeNull();
    expect(readAvcSetUp(bytes.subarray(0, 6))).toBeNull();
    expect(readAvcSetUp(Uint8Array.of(1, 77, 0, 30, 0xff, 0xe0, 0))).toMatchObject({
      sequenceSets: [],
      pictureSets: [],
    });
  });
});

describe("the units of a packet", () => {
  const units = [Uint8Array.of(0x65, 1, 0, 0, 3), Uint8Array.of(0x41, 9), new Uint8Array(300).fill(0x68)];

  test("follow each other after their lengths, in two bytes or four", () => {
    for (const lengthBytes of [2, 4]) {
      const packet = Uint8Array.from(
        units.flatMap((unit) => [...new Array(lengthBytes - 2).fill(0), unit.length >> 8, unit.length & 255, ...unit]),
      );
      expect(unitsOf(packet, lengthBytes)).toEqual(units);
      // What is left of a length is no unit.
      expect(unitsOf(Uint8Array.of(...packet, 0), lengthBytes)).toEqual(units);
    }
  });

  test("follow start codes, short or long, with whatever stands before the first", () => {
    const stream = Uint8Array.from([
      9,
      0,
      0,
      0,
      1,
      ...(units[0] ?? []),
      0,
      0,
      1,
      ...(units[1] ?? []),
      0,
      0,
      0,
      0,
      1,
      0x68,
      0,
      0,
    ]);
    expect(unitsAfterStartCodes(stream)).toEqual([units[0], units[1], Uint8Array.of(0x68)]);
    expect(unitsAfterStartCodes(Uint8Array.of(0, 0, 2, 1))).toEqual([]);
  });

  test("are of the kind that their first byte says, whatever else it says", () => {
    expect([0x65, 0x25, 0x41, 0x67, 0x68].map((head) => unitKind(Uint8Array.of(head)))).toEqual([
      UNIT.idrSlice,
      UNIT.idrSlice,
      UNIT.slice,
      UNIT.sequenceSet,
      UNIT.pictureSet,
    ]);
  });
});

describe("a slice that is rewritten for another stream", () => {
  const PLACE = { index: 37, idrId: 20_001 };

  /** A slice by one syntax, and as it has to be by the other. */
  function both(from: SliceSyntax, to: SliceSyntax, content: SliceContent, { index, idrId } = PLACE) {
    const made = sliceOf(from, content, { number: 3, order: 5, idrId: 7 });
    return {
      rewritten: rewriteSlice(made, from, to, { index, idrId }),
      wanted: sliceOf(to, { ...content, references: 0 }, { number: index, order: 2 * index, idrId }),
    };
  }

  test("reads by that stream's sets, in its place, and its blocks stay as they were", () => {
    const index = fc.integer({ min: 0, max: 70_000 });
    fc.assert(
      fc.property(SYNTAX, SYNTAX, BLOCKS, CONTENT, index, (from, to, body, content, at) => {
        const [written, read] = [
          { ...from, ...body, hasWeights: false, hasFieldOrder: false },
          { ...to, ...body },
        ];
        // What a stream says nothing about is the usual filter.
        const plain = { ...content, filter: 0, filterOffsets: [0, 0] as const };
        const said = written.hasDeblocking && read.hasDeblocking ? content : plain;
        const { rewritten, wanted } = both(written, read, said, { index: at, idrId: 20_001 });
        expect(rewritten).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });

  const slice: SliceContent = {
    ...{ firstBlock: 0, type: 5, isIdr: false, qp: 20, filter: 0, filterOffsets: [0, 0], contexts: 1 },
    blocks: [1, 0, 0, 200],
  };

  test.each<readonly [string, Partial<SliceSyntax>, Partial<SliceSyntax>, Partial<SliceContent>]>([
    ["is made from two pictures", {}, {}, { type: 6 }],
    ["is of a kind for switching", {}, {}, { type: 3 }],
    ["refers to two", {}, {}, { references: 1 }],
    ["orders what it refers to anew", {}, {}, { reorders: true }],
    ["weighs what it refers to", { hasWeights: true }, {}, {}],
    ["tells of two fields", { hasFieldOrder: true }, {}, {}],
    ["says what becomes of its picture", {}, {}, { marks: 1 }],
    ["says what becomes of a picture that stands for itself", {}, {}, { marks: 2, isIdr: true, type: 7 }],
    ["has no filter, where nothing can be said of that", {}, { hasDeblocking: false }, { filter: 1 }],
    ["has another filter, where nothing can be said of that", {}, { hasDeblocking: false }, { filterOffsets: [0, 1] }],
  ])("is none where it %s", (_, from, to, content) => {
    const usual = both(USUAL, USUAL, slice);
    expect(usual.rewritten).toEqual(usual.wanted);
    expect(both({ ...USUAL, ...from }, { ...USUAL, ...to }, { ...slice, ...content }).rewritten).toBeNull();
  });
});
