// What describing a sequence takes, read when it is first needed.

export { describeStretches } from "../../src/workflow/conform/describe-stretches.ts";
export { describe } from "../../src/workflow/describe/describe.ts";
export { hearFile } from "../../src/workflow/gaps/hear-file.ts";
export { findSound } from "../../src/workflow/gaps/look-for-gaps.ts";
export { scriptMemoryOf } from "./script-memory.ts";
export { beginOnKeptMedia, takeVoices, voicingOrder } from "./voicing.ts";
