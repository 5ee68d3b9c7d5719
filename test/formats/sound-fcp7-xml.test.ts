import fc from "fast-check";
import { expect, test } from "vitest";
import { framesFromSeconds } from "../../src/core/frame-rate.ts";
import { writeFcp7Xml } from "../../src/formats/fcp7-xml/write-fcp7-xml.ts";
import {
  childElements,
  childrenNamed,
  descendantsNamed,
  numberAt,
  ownText,
  type XmlElement,
} from "../../src/formats/xml/xml-element.ts";
import { corpusPaths, corpusText } from "../corpus/corpus-files.ts";
import { rootOf, wrongIds, wrongLinks } from "./fcp7-elements.ts";
import { timelines } from "./random-timelines.ts";

const HOLDS = { colours: ["red"], hasMediaDetails: true, hasEffects: false, hasUnevenTransitions: false };

/** Words that a leaf of a name inside another may hold, as programs write them. */
function vocabulary(roots: readonly XmlElement[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const visit = (one: XmlElement) => {
    for (const child of childElements(one)) {
      // A generator stands where a clip does, and says the same of itself.
      const path = `${one.name}/${child.name}`.replace("generatoritem", "clipitem");
      const values = found.get(path) ?? new Set();
      // One truth value stands for the other.
      const word = ownText(child).trim().replace("FALSE", "TRUE");
      found.set(path, values.add(childElements(child).length === 0 ? word : ""));
      visit(child);
    }
  };
  for (const root of roots) visit(root);
  return found;
}

test("what is written is sound in itself: ids are one element's, links lead to their clip, the length is that of the last clip", () => {
  fc.assert(
    fc.property(timelines(HOLDS, 1), (timeline) => {
      const root = rootOf(writeFcp7Xml(timeline));
      expect(wrongIds(root)).toEqual([]);
      for (const sequence of descendantsNamed(root, "sequence")) expect(wrongLinks(sequence)).toEqual([]);
      // A sound of one channel is tied to nothing.
      const ties = [...descendantsNamed(root, "clipitem")].map((clip) => childrenNamed(clip, "link").length);
      expect(ties.filter((count) => count !== 0 && count !== 2)).toEqual([]);
      const last = Math.max(0, ...timeline.tracks.flatMap(({ clips }) => clips.map(({ end }) => end)));
      expect(numberAt(root, "sequence", "duration")).toBe(framesFromSeconds(last, timeline.rate));
    }),
    { numRuns: 80 },
  );
});

/** What Apple's description of the format has, or Premiere, and none of the files: slugs, stills, one-sided transitions, colours of markers. */
const NOT_IN_FILES = [
  ["marker/pproColor", []],
  ["clipitem/stillframe", ["TRUE"]],
  ["transitionitem/alignment", ["start", "end"]],
  ["clipitem/effect", []],
  ["effect/effectid", ["Slug"]],
  ["effect/effectcategory", ["Video"]],
  ["effect/effecttype", ["generator"]],
] as const;

test("nothing is written that other programs do not write so: elements where they have them, words that they use", () => {
  const others = corpusPaths("xml/fcp7").filter((path) => path.endsWith(".xml"));
  const known = vocabulary(others.map((path) => rootOf(corpusText(path))));
  for (const [path, values] of NOT_IN_FILES) known.set(path, new Set([...(known.get(path) ?? []), ...values]));
  // Words of the person, and numbers.
  const isFree = /\/(?:name|comment|masterclipid|linkclipref|pathurl|string|value)$/;
  fc.assert(
    fc.property(timelines(HOLDS, 1), (timeline) => {
      for (const [path, values] of vocabulary([rootOf(writeFcp7Xml(timeline))])) {
        expect([...known.keys()]).toContain(path);
        if (isFree.test(path)) continue;
        for (const value of values) if (/[a-z]/i.test(value)) expect([...(known.get(path) ?? [])]).toContain(value);
      }
    }),
    { numRuns: 40 },
  );
});
