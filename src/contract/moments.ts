import * as z from "zod/mini";
import { MOST_MOMENTS } from "./limits.ts";

/** `POST jobs/{job_id}/pictures`, an addition of this service: small pictures of moments of a job's programme. */
export const MomentsRequest = z.object({
  /** Seconds on the programme clock. */
  at: z.array(z.number().check(z.minimum(0))).check(z.minLength(1), z.maxLength(MOST_MOMENTS)),
});

const MomentSchema = z.strictObject({
  /** The time that was asked for. */
  at: z.number(),
  /** The time of the picture, in seconds on the programme clock. */
  time: z.number(),
  width: z.int(),
  height: z.int(),
  /** The picture as JPEG, Base64. */
  jpeg: z.string(),
});

/** Reply of `POST jobs/{job_id}/pictures`: one for each time, in the order in which they were asked for. */
export const MomentsReplySchema = z.strictObject({
  pictures: z.readonly(z.array(MomentSchema)),
  ignored: z.exactOptional(z.readonly(z.array(z.string()))),
});

/** A picture of a moment. */
export type Moment = z.output<typeof MomentSchema>;

/** Reply of `POST jobs/{job_id}/pictures`. */
export type MomentsReply = z.output<typeof MomentsReplySchema>;
