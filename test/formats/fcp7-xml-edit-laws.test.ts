import fc from "fast-check";
import { expect, test } from "vitest";
import { editFcp7Xml } from "../../src/formats/fcp7-xml/edit-fcp7-xml.ts";
import { parseFcp7Xml } from "../../src/formats/fcp7-xml/read-fcp7-xml.ts";
import { writeFcp7Xml } from "../../src/formats/fcp7-xml/write-fcp7-xml.ts";
import { childAt } from "../../src/formats/xml/xml-element.ts";
import { describeTimelineEdits } from "../suites/timeline-format.ts";
import { rootOf, wrongIds, wrongLinks } from "./fcp7-elements.ts";
import { timelines } from "./random-timelines.ts";

const HOLDS = { colours: ["red"], hasMediaDetails: true, hasEffects: false, hasUnevenTransitions: false };

describeTimelineEdits({ name: "fcp7-xml", parse: parseFcp7Xml, write: writeFcp7Xml, edit: editFcp7Xml });

test("narration that joins narration is sound in itself too, between the clips that are there as well", () => {
  const clip = (name: string, start: number, audioChannels: number) => ({
    name,
    start,
    media: { name: `${name}.wav`, location: `/tmp/${name}.wav`, durationSeconds: 1, audioChannels },
  });
  const starts = fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(timelines(HOLDS, 0), starts, starts, fc.boolean(), (timeline, first, second, isStereo) => {
      const add = (text: string, at: readonly number[]) => {
        const addClips = at.map((start) => clip(`${start}`, start, isStereo ? 2 : 1));
        const result = editFcp7Xml(text, { audio: { trackName: "AD", addClips } });
        if (!result.ok) throw new Error("not edited");
        return result.text;
      };
      const text = add(add(writeFcp7Xml(timeline), first), second);
      const root = rootOf(text);
      expect(wrongIds(root)).toEqual([]);
      const sequence = childAt(root, "sequence");
      if (sequence !== undefined) expect(wrongLinks(sequence)).toEqual([]);
      const kept = parseFcp7Xml(text).timeline?.tracks.flatMap(({ name, clips }) => (name === "AD" ? clips : [])) ?? [];
      expect(kept).toHaveLength(first.length + second.length);
    }),
    { numRuns: 80 },
  );
});
