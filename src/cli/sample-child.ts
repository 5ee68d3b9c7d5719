// Makes the sample clip in a process of its own: drawing and encoding hold a process for seconds, and Ctrl-C must not
// wait for them.
import { makeSample } from "../service/sample/make-sample.ts";
import { EspeakVoice } from "../service/voice/espeak.ts";

process.once("disconnect", () => process.exit(1));
const truth = await makeSample(process.argv[2] ?? "", new EspeakVoice());
process.send?.(truth, () => process.exit(0));
