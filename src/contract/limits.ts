/**
 * Largest file the service takes as a direct multipart upload, in bytes: the interface says 32 MB; read as MiB, the
 * larger reading, so that no file a client may think allowed is refused.
 */
export const DIRECT_UPLOAD_MAX_BYTES = 33_554_432;

/** Above this many bytes a client uses the signed flow: 32 MB in the smaller reading, right under either. */
export const SIGNED_FLOW_ABOVE_BYTES = 32_000_000;

/** Bounds and default of `standard_ad_min_cue_length`, in seconds. */
export const MIN_CUE_LENGTH_SECONDS = { minimum: 0.75, maximum: 5, default: 0.75 } as const;

/** Bounds of `volume_level_db`, in dBFS. */
export const VOLUME_LEVEL_DBFS = { minimum: -10, maximum: 0 } as const;

/** Credits per minute of source video, by kind of job (the hosted service's price list; custom plans may differ). */
const CREDITS_PER_MINUTE = { text: 0.5, audio: 0.75, video: 1 } as const;

/** Credits of the hosted service at its list price, by kind of job. */
export type Credits = Readonly<Record<keyof typeof CREDITS_PER_MINUTE, number>>;

/** What so many minutes of source video take. */
export function creditsFor(minutes: number): Credits {
  const { text, audio, video } = CREDITS_PER_MINUTE;
  return { text: minutes * text, audio: minutes * audio, video: minutes * video };
}

/** Most times that one request for pictures of moments may name. */
export const MOST_MOMENTS = 50;
