// Analyses a file as a job does, and nothing else: node tools/bench/job/analyse-alone.ts FILE FOLDER
import { analyseProgramme } from "../../../src/engine/analyse/analyse-programme.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";

const [path = "", folder = ""] = process.argv.slice(2);
const { shots, keyFrames } = await analyseProgramme(path, await probeMedia(path), { folder });
process.stdout.write(`${shots.length} shots, ${keyFrames.length} key frames\n`);
