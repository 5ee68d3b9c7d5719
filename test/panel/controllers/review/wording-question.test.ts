import fc from "fast-check";
import { expect, test } from "vitest";
import { ReviewController } from "../../../../panel/controllers/review/review-controller.ts";
import { WordingController } from "../../../../panel/controllers/review/wording-controller.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import { selectCue } from "../../../../panel/state/review-state.ts";
import type { WordingsSent } from "../../../../src/contract/wordings.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { heldPanel } from "../../held-panel.ts";
import { jobEntry } from "../../session-in-memory.ts";

test("a question about a line tells the three lines before it and the three after it, in order, and none without words", async () => {
  const films = fc.record({ silent: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), at: fc.nat(11) });
  await fc.assert(
    fc.asyncProperty(films, async ({ silent, at }) => {
      const lines = silent.map((isSilent, index) => ({
        id: `c${index}`,
        start: 4 * index,
        end: 4 * index + 2,
        text: isSilent ? " " : `Line ${index}.`,
      }));
      const asked: WordingsSent[] = [];
      const wordings = (_: string, question: WordingsSent) => {
        asked.push(question);
        return { wordings: [], model: "seer" };
      };
      const { session, connection, ports } = heldPanel({ wordings });
      const open = lines[at % lines.length]?.id ?? "";
      session.store.set({ review: selectCue(openReview(placedResult(lines), jobEntry()), open, false) });
      const controller = new WordingController(session, connection, new ReviewController(session));
      expect(await ports.settlesLast(() => controller.ask("other"))).toBeNull();
      const told = (from: number, to?: number) =>
        lines.slice(from, to).flatMap(({ text }) => (text.trim() === "" ? [] : [text]));
      const here = at % lines.length;
      expect(asked.map(({ before, after }) => [before, after])).toEqual([
        [told(0, here).slice(-3), told(here + 1).slice(0, 3)],
      ]);
    }),
    { numRuns: 25 },
  );
});
