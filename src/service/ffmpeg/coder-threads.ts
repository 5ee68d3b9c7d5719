import { availableParallelism } from "node:os";

/**
 * Threads that decode or encode a picture: every one holds frames of its own, which left to FFmpeg are half as many again as
 * there are processors.
 */
export const CODER_THREADS = Math.min(4, availableParallelism());
