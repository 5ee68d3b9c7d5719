import * as z from "zod/mini";

/** Decibels that a gain may have: what is beyond is no gain of a mix. */
export const gain = () => z.number().check(z.minimum(-80), z.maximum(80));

/**
 * Addition of this service: what a finished mix used for all lines. `report.mix.voicing` of one job, sent back as
 * `generation_config.voicing` of the next with `description_content`, changes nothing but the lines that changed. A gain
 * that is left out is found anew.
 */
export const VoicingSchema = z.object({
  track: z.enum(["mixed", "ad_only"]),
  narration_gain_db: z.exactOptional(gain()),
  track_gain_db: z.exactOptional(gain()),
  lines: z.readonly(
    z.array(
      z.readonly(
        z.object({
          words: z.string(),
          start: z.number().check(z.minimum(0)),
          seconds: z.number().check(z.minimum(0)),
          rate: z.number().check(z.minimum(0.5), z.maximum(2)),
          programme_lufs: z.exactOptional(z.nullable(z.number())),
        }),
      ),
    ),
  ),
});

/** A voicing as it is sent. */
export type VoicingOnWire = z.output<typeof VoicingSchema>;
