import { AudioDescriptionError } from "../../core/error.ts";

/** Why a model could not be asked, or not be used. */
export type VisionErrorCode =
  /** No answer came, or not in time. */
  | "vision_unreachable"
  /** The endpoint answered with an error: a wrong key, no such model, a broken request, no money left. */
  | "vision_refused"
  /** It answered every time, and nothing that it said could be used. */
  | "vision_unusable"
  /** It answers, and does not see the pictures. */
  | "vision_blind"
  /** The next request would cost more than is allowed. */
  | "vision_ceiling"
  /** What was asked for needs a setting that is missing. */
  | "vision_incomplete"
  /** A model could not be fetched. */
  | "vision_pull_failed";

/** A vision model could not be asked or used. Names the endpoint's host at most, never the key. */
export class VisionError extends AudioDescriptionError<VisionErrorCode> {}
