import { expect, test } from "vitest";
import { sharedCorpora } from "../shared-media.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type ExpectedReading, faultsOf } from "./faults.ts";

const cue = (start: number, end: number | null, text: string) => ({ start, end, text });

const BOAT = [cue(1.2, 3.4, "A boat comes in."), cue(65, 66.5, "She turns away.")];
const HELLO = [cue(1.2, 3.4, "Hello there."), cue(5, 6.5, "Goodbye.")];
const SAID = [cue(5.1, 8.9, "Is anybody there?"), cue(22.5, 27.8, "Quietly now, quietly.")];

/** Texts of public reports of faults, with what is right. */
const EXPECTED: Readonly<Record<string, ExpectedReading>> = {
  "01-units-whisper-tsv/said.tsv": { cues: SAID, says: ["milliseconds"] },
  "02-units-stated-in-the-head/ms-in-brackets.csv": { cues: BOAT },
  "02-units-stated-in-the-head/ms-underscore.csv": { cues: BOAT },
  "03-audition-samples/markers.csv": {
    cues: [cue(3.5, 5.5, "A boat comes in."), cue(66.4, null, "She turns away.")],
  },
  "14-fcpxml-captions/captions.fcpxml": { cues: [cue(1.001, 3.003, "A gull lands."), cue(11.011, 13.013, "Fog.")] },
  "15-rolling-captions/auto.vtt": {
    cues: [cue(5.1, 6.6, "is anybody there"), cue(6.61, 8, "hello you"), cue(13.21, 14.6, "come in")],
    says: ["rolling"],
  },
  "17-point-markers/points.edl": {
    args: ["--rate", "24"],
    cues: [cue(14 / 24, null, "On a dark card, the title."), cue(23, null, "A red train passes slowly by.")],
  },
  "17-point-markers/in-out-lines.txt": {
    args: ["--rate", "24"],
    cues: [cue(3.5, 5.833, "Can everybody see my screen?")],
  },
  "18-json-of-speech-tools/whisper-cpp.json": { cues: HELLO },
  "18-json-of-speech-tools/hf-chunks.json": { cues: [cue(1.2, 3.4, "Hello there."), cue(5, null, "Goodbye.")] },
  "18-json-of-speech-tools/losslesscut.csv": {
    cues: [
      cue(0, 140, "open start"),
      cue(90.188, 94.02, "Rain on the roof"),
      cue(125.5, 129, "A boy, wet through"),
      cue(150, null, "open end"),
    ],
  },
};

test.each(Object.entries(EXPECTED))("reads %s as it is meant", async (name, expected) => {
  expect(await faultsOf(sharedCorpora(`reports/${name}`), expected, await temporaryFolder())).toEqual([]);
});
