// What describing a sequence takes, read when it is first needed.
export { describe } from "../src/workflow/describe.ts";
export { describeStretches } from "../src/workflow/describe-stretches.ts";
export { hearFile } from "../src/workflow/hear-file.ts";
export { findSound } from "../src/workflow/look-for-gaps.ts";
export { scriptMemoryOf } from "./script-memory.ts";
export { beginOnKeptMedia, takeVoices, voicingOrder } from "./voicing.ts";
