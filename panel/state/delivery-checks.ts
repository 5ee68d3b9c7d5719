import { defined } from "../../src/core/defined.ts";
import type { Finding } from "../../src/core/finding.ts";
import { NOT_MEASURED } from "../../src/core/sound-measure.ts";
import { describedType } from "../../src/result/result.ts";
import { checkCues } from "../../src/workflow/check/check.ts";
import { checkOrder } from "../../src/workflow/check/check-order.ts";
import { checkTexts } from "../../src/workflow/check/check-texts.ts";
import { checkDeliveredFiles } from "../../src/workflow/deliver/check-delivery.ts";
import { deliveryName } from "../../src/workflow/deliver/delivery-name.ts";
import type { DeliveryPreset } from "../../src/workflow/deliver/delivery-preset.ts";
import { soundStartSeconds } from "../../src/workflow/deliver/delivery-sound.ts";
import { deliveryTexts } from "../../src/workflow/deliver/delivery-texts.ts";
import { type DeliverState, orderOf, soundsToWrite } from "./delivery-state.ts";
import type { ReviewState } from "./review-state.ts";

/** What can be told of a delivery without listening: words, times, pace, files' formats and lengths, against its preset. */
export function checkUnheard(shown: ReviewState, delivery: DeliverState, now: number): Finding[] {
  const { result } = shown;
  const order = orderOf(shown, delivery, now);
  const { cues } = order;
  const startSeconds = soundStartSeconds(order);
  const { preset } = order;
  const { durationSeconds } = result;
  const sounds = soundsToWrite(delivery);
  const [first] = sounds;
  return [
    ...checkCues({
      cues,
      durationSeconds,
      type: describedType(result),
      profile: preset.profile,
      ...defined({ speech: result.speech, narrationSeconds: first?.durationSeconds }),
    }),
    ...checkTexts(cues, preset.profile, []),
    ...checkOrder(cues),
    ...checkDeliveredFiles(withoutLoudness(order.preset), {
      sounds: sounds.map(({ kind, format: { sampleRate, bits, channels }, durationSeconds: seconds }) => ({
        kind,
        name: deliveryName(order, kind, "wav"),
        sampleRate,
        bits,
        channels,
        startSeconds,
        measure: { ...NOT_MEASURED, durationSeconds: seconds },
      })),
      texts: deliveryTexts(order),
      startSeconds,
      programme: { durationSeconds, channels: 0 },
    }),
  ];
}

/** A preset without its loudness: UXP has nothing that decodes sound, so the command line measures that. */
function withoutLoudness({ sound, ...preset }: DeliveryPreset): DeliveryPreset {
  if (sound === undefined) return preset;
  const { loudness: _, ...format } = sound;
  return { ...preset, sound: format };
}
