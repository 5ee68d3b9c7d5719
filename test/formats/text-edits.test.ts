import fc from "fast-check";
import { expect, test } from "vitest";
import type { TimelineClip } from "../../src/core/timeline.ts";
import { applyTextEdits, indentAt, LineIndex, lineEndOf } from "../../src/formats/text-edits.ts";
import { LineCursor } from "../../src/formats/text-lines.ts";
import { withoutOverlap } from "../../src/formats/timeline-document.ts";

const texts = fc.array(fc.constantFrom("a", "b", "\n", " ", "\t"), { maxLength: 20 }).map((signs) => signs.join(""));

test("edits in any order make of a text what they say, and leave the rest", () => {
  const pieces = fc.array(fc.record({ kept: texts, gone: texts, come: texts, isEdit: fc.boolean() }), { maxLength: 6 });
  fc.assert(
    fc.property(pieces, fc.infiniteStream(fc.nat()), (parts, order) => {
      let text = "";
      const edits = parts.flatMap(({ kept, gone, come, isEdit }) => {
        const start = text.length + kept.length;
        text += kept + gone;
        return isEdit ? [{ start, end: start + gone.length, text: come, rank: order.next().value ?? 0 }] : [];
      });
      const expected = parts.map(({ kept, gone, come, isEdit }) => kept + (isEdit ? come : gone)).join("");
      // Edits at one place keep their order: none of those here are moved past each other.
      const isApart = edits.every(({ start }, index) => start > (edits[index - 1]?.start ?? -1));
      const shuffled = isApart ? edits.toSorted((a, b) => a.rank - b.rank) : edits;
      expect(applyTextEdits(text, shuffled)).toBe(expected);
    }),
  );
  expect(
    applyTextEdits("ab", [
      { start: 1, end: 2, text: "y" },
      { start: 1, end: 1, text: "x" },
    ]),
  ).toBe("axy");
});

test("the line of an offset, its indent and the lines of a walk are those of the text", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const index = new LineIndex(text);
      for (let offset = 0; offset <= text.length; offset++) {
        const before = text.slice(0, offset).split("\n");
        expect(index.lineOf(offset)).toBe(before.length);
        expect(indentAt(text, offset)).toBe(/^[ \t]*/.exec(before.at(-1) ?? "")?.[0]);
      }
      const cursor = new LineCursor(text, "ab");
      const walked: unknown[] = [];
      for (; !cursor.isDone; cursor.advance())
        walked.push([cursor.line, cursor.number, cursor.isBlank, cursor.hasArrow]);
      const lines = text.split("\n");
      if (lines.at(-1) === "") lines.pop();
      expect(walked).toEqual(lines.map((line, at) => [line, at + 1, line === "", line.includes("ab")]));
      expect([cursor.line, cursor.hasArrow, cursor.start]).toEqual(["", false, text.length]);
    }),
  );
});

test("what parts lines is told by the first of them", () => {
  expect(["a\r\nb\n", "a\nb\r\n", "", "\n", "\r\n", "a\rb"].map(lineEndOf)).toEqual([
    "\r\n",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\n",
  ]);
});

test("text is passed over up to a blank line, which is passed too, or a line with an arrow", () => {
  const skipped = (text: string) => {
    const cursor = new LineCursor(text);
    const end = cursor.skipText();
    return [text.slice(0, end), text.slice(cursor.start), cursor.number];
  };
  expect(skipped("a\nb\n\nc")).toEqual(["a\nb", "c", 4]);
  expect(skipped("a\n-->\nb")).toEqual(["a", "-->\nb", 2]);
  expect(skipped("-->")).toEqual(["", "-->", 1]);
  expect(skipped("\na")).toEqual(["", "a", 2]);
  expect(skipped("a")).toEqual(["a", "", 2]);
  expect(skipped("")).toEqual(["", "", 1]);
});

test("clips are in order, each up to the next, and those that nothing is left of are gone", () => {
  const clip = (start: number, end: number) => ({ name: `${start}`, start, end }) as TimelineClip;
  const ordered = (...clips: readonly TimelineClip[]) =>
    withoutOverlap(clips).map(({ name, start, end }) => `${name} ${start}-${end}`);
  expect(ordered(clip(5, 7), clip(0, 6), clip(9, 10))).toEqual(["0 0-5", "5 5-7", "9 9-10"]);
  expect(ordered(clip(0, 2), clip(0, 3), clip(4, 4))).toEqual(["0 0-3"]);
  const whole = clip(0, 1);
  expect(withoutOverlap([whole, clip(1, 2)])[0]).toBe(whole);
});
