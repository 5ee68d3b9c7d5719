import fc from "fast-check";
import { expect, test } from "vitest";
import { ReviewController } from "../../../../panel/controllers/review/review-controller.ts";
import { WordingController } from "../../../../panel/controllers/review/wording-controller.ts";
import type { ServiceConnection } from "../../../../panel/session/connection.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import { selectCue } from "../../../../panel/state/review-state.ts";
import type { WordingsSent } from "../../../../src/contract/wordings.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { turns } from "../../../fakes/set-clock.ts";
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

test("one question is asked at a time: the next waits until the one before has ended, and can be given up then", async () => {
  const lines = ["a", "b"].map((id, index) => ({ id, start: 4 * index, end: 4 * index + 2, text: `Line ${id}.` }));
  const signals: AbortSignal[] = [];
  const ends: ((error: Error) => void)[] = [];
  const wordings = (_: string, __: object, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<never>((_, reject) => {
      signals.push(signal);
      ends.push(reject);
    });
  const { session } = heldPanel();
  session.store.set({ review: selectCue(openReview(placedResult(lines), jobEntry()), "a", false) });
  const connection = { client: async () => ({ wordings }) } as unknown as ServiceConnection;
  const controller = new WordingController(session, connection, new ReviewController(session));
  const asks = [controller.ask("shorten")];
  await turns();
  asks.push(controller.ask("other"));
  await turns();
  expect([signals.length, signals[0]?.aborted]).toEqual([1, true]);
  ends[0]?.(new Error("given up"));
  await turns();
  expect([signals.length, signals[1]?.aborted]).toEqual([2, false]);
  controller.cancel();
  expect(signals[1]?.aborted).toBe(true);
  ends[1]?.(new Error("given up"));
  await Promise.all(asks);
  expect(session.state.message).toBeNull();
});
