import fc from "fast-check";
import { expect, test } from "vitest";
import { GainCurve, planDucking } from "../../src/core/duck-plan.ts";
import { mixedEvents } from "../../src/formats/ttml/write-dapt.ts";

const cue = (id: string, start: number, end: number) => ({ id, start, end, text: id });

/** Instants at which the gains are held against each other, per second. */
const RATE = 1_000;

/** Descriptions apart from each other over a programme of some loudness each. */
const LINES = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 4, max: 30 }), fc.integer({ min: -60, max: -10 })),
  {
    minLength: 1,
    maxLength: 8,
  },
);

test("the events of a script lower the programme as the mix does, at every instant", () => {
  fc.assert(
    fc.property(LINES, (lines) => {
      let at = 1;
      const heard = lines.map(([pause, length, programmeLufs], index) => {
        const start = at + pause / 10;
        at = start + length / 10;
        return { cueId: `c${index}`, start, end: at, narrationLufs: -23, programmeLufs };
      });
      const { glides } = planDucking(heard, []);
      const cues = heard.map(({ cueId, start, end }) => cue(cueId, start, end));
      const events = mixedEvents(cues, glides);
      const curve = Float32Array.from({ length: Math.ceil((at + 2) * RATE) }, () => 1);
      new GainCurve(glides, RATE).apply([curve], 0);
      // Nine values in straight lines stand for a raised cosine in decibels.
      const furthest = curve.reduce((most, gain, at) => Math.max(most, Math.abs(gainAt(events, at / RATE) - gain)), 0);
      expect(furthest).toBeLessThan(0.04);
      for (const [index, event] of events.entries()) {
        expect(event.start).toBeLessThanOrEqual(cues[index]?.start ?? 0);
        expect(event.end).toBeGreaterThanOrEqual(cues[index]?.end ?? 0);
        // No two events fade the programme at once: their gains would multiply.
        expect(event.start).toBeGreaterThanOrEqual((events[index - 1]?.end ?? 0) - 1e-9);
      }
    }),
  );
});

/** The gain that a reader of the events gives the programme. */
function gainAt(events: ReturnType<typeof mixedEvents>, seconds: number): number {
  const event = events.find(({ start, end }) => seconds >= start && seconds < end);
  if (event === undefined) return 1;
  let gain = 1;
  for (const { start, end, gains } of event.instructions) {
    if (seconds < start) break;
    const share = Math.min(1, (seconds - start) / (end - start)) * (gains.length - 1);
    const [from = 1, to = from] = [gains[Math.floor(share)], gains[Math.ceil(share)]];
    gain = from + (to - from) * (share % 1);
  }
  return gain;
}
