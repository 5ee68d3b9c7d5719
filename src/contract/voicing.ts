import { z } from "zod/mini";
import type { KeptLine, Voicing } from "../core/settings.ts";

/** Decibels that a gain may have: what is beyond is no gain of a mix. */
const gain = () => z.number().check(z.minimum(-80), z.maximum(80));

/**
 * Addition of this service: what a finished mix used for all lines. `report.mix.voicing` of one job, sent back as
 * `generation_config.voicing` of the next with `description_content`, changes nothing but the lines that changed.
 */
export const VoicingSchema = z.object({
  track: z.enum(["mixed", "ad_only"]),
  narration_gain_db: gain(),
  track_gain_db: gain(),
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

/** A voicing in this project's own words. */
export function voicingFromWire({ track, lines, ...gains }: VoicingOnWire): Voicing {
  return {
    track,
    narrationGainDb: gains.narration_gain_db,
    trackGainDb: gains.track_gain_db,
    lines: lines.map(
      ({ programme_lufs: programmeLufs, ...line }): KeptLine => ({
        ...line,
        ...(programmeLufs === undefined ? {} : { programmeLufs }),
      }),
    ),
  };
}
