import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkUnheard,
  type DeliverState,
  firstDelivery,
  isLimitBroken,
  mayDeliver,
  missingSounds,
  orderOf,
  presetOf,
  SOUND_KINDS,
  type SoundKind,
  soundsToWrite,
} from "../../../panel/state/delivery-state.ts";
import { openReview } from "../../../panel/state/opened-review.ts";
import { DELIVERY_PRESETS } from "../../../src/workflow/deliver/delivery-preset.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry } from "../session-in-memory.ts";

const REVIEW = openReview(placedResult([{ id: "a", start: 1, end: 4, text: "Rain falls." }]), jobEntry());

function sound(kind: SoundKind, sampleRate = 48_000): DeliverState["sounds"][number] {
  const format = { sampleRate, bits: 24, channels: 2, encoding: "integer", channelMask: 0 } as const;
  return { kind, path: `/${kind}.wav`, name: `${kind}.wav`, format, durationSeconds: 60 };
}

/** A delivery that was looked at, with what differs. */
function delivery(change: Partial<DeliverState> = {}): DeliverState {
  return { ...firstDelivery(REVIEW), findings: [], ...change };
}

const finding = (severity: "info" | "warn" | "fail") =>
  ({ severity, rule: "pace", cueIds: [], message: "x" }) as unknown as NonNullable<DeliverState["findings"]>[number];

const kinds = fc.shuffledSubarray([...SOUND_KINDS]);

test("every preset is found by its name, and no other", () => {
  for (const preset of DELIVERY_PRESETS) expect(presetOf(preset.name)).toBe(preset);
  expect(presetOf("nobody's")).toBe(DELIVERY_PRESETS[0]);
});

test("of every preset each sound that it needs is missing unless it is there and ticked, whichever of them it is", () => {
  fc.assert(
    fc.property(fc.constantFrom(...DELIVERY_PRESETS), kinds, kinds, (preset, there, ticked) => {
      const state = delivery({
        presetName: preset.name,
        sounds: there.map((kind) => sound(kind)),
        soundKinds: ticked,
      });
      const written = SOUND_KINDS.filter((kind) => there.includes(kind) && ticked.includes(kind));
      expect(soundsToWrite(state).map(({ kind }) => kind)).toEqual(there.filter((kind) => ticked.includes(kind)));
      const missing = SOUND_KINDS.filter((kind) => preset.needs.includes(kind) && !written.includes(kind));
      expect(missingSounds(state)).toEqual(missing);
      expect(missing.length > 0 && mayDeliver(state)).toBe(false);
      const order = orderOf(REVIEW, state, 0);
      expect([order.isSpoken, order.refersToNarration]).toEqual([written.length > 0, written.includes("narration")]);
    }),
  );
});

describe("a broken limit", () => {
  const named = DELIVERY_PRESETS[1]?.name ?? "";

  test("stands in the way wherever it stands among what was found, and for no less than a limit", () => {
    const found = fc.array(fc.constantFrom("info", "warn", "fail").map((one) => finding(one as "info")));
    fc.assert(
      fc.property(found, (findings) => {
        const isBroken = findings.some(({ severity }) => severity === "fail");
        expect(isLimitBroken(delivery({ presetName: named, findings }))).toBe(isBroken);
        expect(isLimitBroken(delivery({ findings }))).toBe(false);
      }),
    );
  });

  test("is passed by whoever says so, and by nothing else; what was not looked at is not delivered", () => {
    const ready = { presetName: named, sounds: SOUND_KINDS.map((kind) => sound(kind)) };
    expect(mayDeliver(delivery(ready))).toBe(true);
    expect(mayDeliver(delivery({ ...ready, findings: [finding("warn"), finding("fail")] }))).toBe(false);
    expect(mayDeliver(delivery({ ...ready, findings: [finding("fail")], goesDespite: true }))).toBe(true);
    expect(mayDeliver(delivery({ ...ready, findings: null, goesDespite: true }))).toBe(false);
  });
});

test("every sound that is written is held against its preset, not the first alone", () => {
  const presetName = DELIVERY_PRESETS.find(({ sound: wanted }) => wanted !== undefined)?.name ?? "";
  const rulesOf = (narration: number, mix: number) =>
    checkUnheard(REVIEW, delivery({ presetName, sounds: [sound("narration", narration), sound("mix", mix)] }), 0)
      .length;
  const none = rulesOf(48_000, 48_000);
  expect(rulesOf(44_100, 48_000)).toBeGreaterThan(none);
  expect(rulesOf(48_000, 44_100)).toBeGreaterThan(none);
  expect(rulesOf(44_100, 44_100)).toBeGreaterThan(rulesOf(48_000, 44_100));
});
