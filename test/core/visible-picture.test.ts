import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  audibleSound,
  BLACK,
  cutStretch,
  type PlacedClip,
  relinkedClips,
  sourceAt,
  visiblePicture,
} from "../../src/core/layout.ts";

const clip = fc
  .record({
    kind: fc.constantFrom("video" as const, "video" as const, "audio" as const),
    name: fc.constantFrom("a", "b", "c"),
    hasMedia: fc.boolean(),
    start: fc.integer({ min: 0, max: 15 }),
    length: fc.integer({ min: 0, max: 8 }),
    sourceStart: fc.integer({ min: 0, max: 50 }),
    speed: fc.constantFrom(0, 1, 2, -1),
  })
  .map(({ hasMedia, length, ...one }): PlacedClip => {
    const media = hasMedia ? `media ${one.name}` : null;
    return { ...one, track: 0, media, file: media, end: one.start + length };
  });
/** Bottom track first, as a layout has them; the number of its track tells which of two lies above. */
const layouts = fc
  .array(clip, { maxLength: 8 })
  .map((clips) => clips.map((one, track): PlacedClip => ({ ...one, track })));

describe("the picture that is seen", () => {
  test("is at each time that of the topmost clip with media, else of the topmost, else black, to the end of all", () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        const seen = visiblePicture(layout);
        const end = Math.max(0, ...layout.map((one) => one.end));
        // In order and without holes or overlaps: any instant shows one thing.
        expect(seen[0]?.start ?? 0).toBe(0);
        expect(seen.at(-1)?.end ?? 0).toBe(end);
        for (const [index, one] of seen.entries()) {
          expect(one.end).toBeGreaterThan(one.start);
          if (index > 0) expect(one.start).toBe(seen[index - 1]?.end);
        }
        for (let time = 0.5; time < end; time++) {
          const over = layout.filter((one) => one.kind === "video" && one.start < time && one.end > time);
          const top = over.filter(({ media }) => media !== null).at(-1) ?? over.at(-1);
          const shown = seen.find((one) => one.start < time && one.end > time);
          expect(shown?.source).toBe(top === undefined ? BLACK : (top.media ?? `empty ${top.name}`));
          if (shown === undefined || top === undefined) continue;
          expect(shown.speed).toBe(top.speed);
          expect(sourceAt(shown, time)).toBe(top.sourceStart + (time - top.start) * top.speed);
        }
      }),
    );
  });

  test("and what is heard is every clip of sound by itself", () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        const sounding = layout.filter((one) => one.kind === "audio" && one.end > one.start);
        expect(audibleSound(layout)).toEqual(
          sounding.map(({ media, name, start, end, sourceStart, speed }) => ({
            source: media ?? `empty ${name}`,
            start,
            end,
            sourceStart,
            speed,
          })),
        );
      }),
    );
  });

  test("a part of a stretch shows at each time what the whole does", () => {
    fc.assert(
      fc.property(clip, fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }), (one, start, length) => {
        const [whole] = audibleSound([{ ...one, kind: "audio" }]);
        fc.pre(whole !== undefined);
        const part = cutStretch(whole, { start, end: start + length });
        const common = { start: Math.max(start, whole.start), end: Math.min(start + length, whole.end) };
        if (common.end <= common.start) {
          expect(part).toBeNull();
          return;
        }
        expect(part).toMatchObject({ ...common, source: whole.source, speed: whole.speed });
        for (const time of [common.start, common.end]) {
          expect(sourceAt(part ?? whole, time)).toBe(sourceAt(whole, time));
        }
      }),
    );
  });
});

describe("a project that moved to another place", () => {
  const at = (folder: string | null, file: string | null, name = file ?? "title"): PlacedClip => ({
    kind: "video",
    track: 0,
    name,
    media: file === null ? null : `${folder}/${file}`,
    file,
    start: 0,
    end: 1,
    sourceStart: 0,
    speed: 1,
  });
  const media = (clips: readonly PlacedClip[]) => clips.map((one) => one.media);

  test("files of one name are the same where none is where it was", () => {
    const before = [at("old", "a"), at("old", "b"), at(null, null)];
    const after = [at("new", "b"), at("new", "a"), at("new", "c")];
    expect(media(relinkedClips(before, after))).toEqual(["new/a", "new/b", null]);
    // All else of a clip is as it was.
    expect(relinkedClips(before, after).map((one, index) => ({ ...one, media: before[index]?.media }))).toEqual(before);
  });

  test("a file still in its place says that the others were replaced", () => {
    const before = [at("old", "a"), at("old", "b")];
    expect(relinkedClips(before, [at("old", "a"), at("new", "b")])).toBe(before);
    expect(relinkedClips(before, [at("new", "a"), at("old", "b")])).toBe(before);
    const titles = [at(null, null)];
    expect(relinkedClips(titles, [at("new", "a"), at(null, null)])).toBe(titles);
  });

  test("a clip whose media the host did not tell, then or now, has those of the clips of its name", () => {
    const untold = { ...at(null, null, "a.mov"), isUntold: true };
    const others = [at("old", "b", "b.mov"), at(null, null, "title")];
    const before = [untold, ...others];
    const after = [at("here", "a", "a.mov"), ...others];
    expect(relinkedClips(before, after)).toEqual([{ ...untold, media: "here/a", file: "a" }, ...others]);
    expect(media(relinkedClips(after, before))).toEqual([null, "old/b", null]);
    // Two files of its name say nothing, nor does a sound, nor what was told to have none.
    expect(media(relinkedClips(before, [...after, at("there", "a", "a.mov")]))[0]).toBeNull();
    expect(media(relinkedClips(before, [{ ...at("here", "a", "a.mov"), kind: "audio" }, ...others]))[0]).toBeNull();
    expect(media(relinkedClips([at(null, null, "a.mov"), ...others], [...after, untold]))[0]).toBeNull();
    // It says nothing of where the other files are: they are where the project went.
    const moved = [at("here", "a", "a.mov"), at("new", "b", "b.mov"), at(null, null, "title")];
    expect(media(relinkedClips(before, moved))).toEqual(["here/a", "new/b", null]);
  });

  test("a name that two files have, or none, tells nothing", () => {
    const before = [at("old", "a"), at("old", "b")];
    expect(media(relinkedClips(before, [at("new", "a"), at("newer", "a")]))).toEqual(["old/a", "old/b"]);
    expect(media(relinkedClips(before, [at("new", "a"), at("new", "a")]))).toEqual(["new/a", "old/b"]);
    expect(media(relinkedClips(before, []))).toEqual(["old/a", "old/b"]);
  });
});
