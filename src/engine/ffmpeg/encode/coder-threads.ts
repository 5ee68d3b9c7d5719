import { availableParallelism } from "node:os";

/**
 * Threads that decode a picture which is encoded again, or encode what lies after a pause. Left to FFmpeg, there are more than
 * processors, and a decoder's hold a frame each; the whole of a picture is encoded by as many as x264 wants.
 */
export const CODER_THREADS = Math.min(4, availableParallelism());
