import fc from "fast-check";
import { expect, test } from "vitest";
import { takeVoices, voicingOrder } from "../../../../panel/controllers/describe/voice-changed.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import { staleIn } from "../../../../src/result/stale.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { jobEntry, sessionInMemory } from "../../session-in-memory.ts";

test("voices that were made anew are heard where the service put them, line by line; a line that was edited meanwhile stays as it is, out of date", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), async (edited) => {
      const line = (index: number, text: string) => ({ id: `c${index}`, start: 5 * index, end: 5 * index + 2, text });
      const sent = edited.map((_, index) => line(index, `The line ${index} as it was sent.`));
      const now = sent.map((cue, index) => (edited[index] === true ? { ...cue, text: "Edited since." } : cue));
      const brought = sent.map((cue) => ({ ...cue, end: cue.end + 1 }));
      const audio = { path: "/new.wav", durationSeconds: 60 };
      const { session } = sessionInMemory();
      const show = (cues: typeof sent) => session.store.set({ review: openReview(placedResult(cues), jobEntry()) });
      const job = jobEntry({ runId: "voicing", voices: "run-1" });
      show(sent);
      await voicingOrder(session, job);
      show(now);
      const taken = await takeVoices(session, job, { cues: brought, audio });
      if (taken === null) throw new Error("nothing was taken");
      expect(taken.result.cues.map(({ id, end, text }) => [id, end, text])).toEqual(
        now.map(({ id, end, text }, index) => [id, edited[index] === true ? end : end + 1, text]),
      );
      expect([...staleIn(taken.result).keys()]).toEqual(now.filter((_, index) => edited[index]).map(({ id }) => id));
    }),
    { numRuns: 40 },
  );
});
