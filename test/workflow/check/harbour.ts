import { checkResult } from "../../../src/workflow/check/check-result.ts";

/** A result of two descriptions, one over the other and over speech, checked. */
export function checkedHarbour() {
  return checkResult({
    cues: [
      { id: "cue 1", start: 1, end: 2, text: 'We see "<b>a rabbit</b>" & a bird.' },
      {
        id: "cue-2",
        start: 1.5,
        end: 4,
        text: "He walks out, and on, and on, and on, and on, and on, and on, and on.",
      },
    ],
    type: "standard",
    speech: [{ start: 3, end: 6 }],
    programme: { durationSeconds: 30, levels: [-20, -30, -120], integratedLufs: -23, truePeakDbtp: -3, active: [] },
  });
}

/** What a report of it says beside the result; its words have what a page has to escape. */
export const CONTEXT = {
  title: "Harbour <7>",
  language: "en-US",
  checkedAt: "2026-01-01T00:00:00Z",
  version: "0.1.0",
  files: ["harbour.otio"],
  levels: [-20, -30, -120],
  labelAt: (seconds: number) => `at ${seconds}`,
};

/** Loudness of two files, one of which is silent and hardly measured. */
export const LOUDNESS = [
  {
    file: "mix <1>.wav",
    integratedLufs: -23.04,
    dialogueLufs: null,
    rangeLu: 6.51,
    momentaryLufs: -15.5,
    shortTermLufs: -18.2,
    truePeakDbtp: -3.21,
    asked: { demand: "programme -23 ± 0.5 LUFS", source: "EBU R 128", isMet: true },
  },
  { file: "voice.wav", integratedLufs: null, truePeakDbtp: null },
];
