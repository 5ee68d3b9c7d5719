import { expect, test } from "vitest";
import { readDocument } from "../../src/formats/index.ts";

const rowsOf = (text: string, filename = "a.json") =>
  readDocument(text, { filename }).cues.map(({ start, end, text: words }) => [start, end, words]);

const TWO = [
  [1.2, 3.4, "Hello there."],
  [5, 6.5, "Good day now."],
];

test.each<[string, unknown]>([
  [
    "whisper.cpp",
    {
      transcription: [
        {
          timestamps: { from: "00:00:01,200", to: "00:00:03,400" },
          offsets: { from: 1200, to: 3400 },
          text: " Hello there.",
        },
        {
          timestamps: { from: "00:00:05,000", to: "00:00:06,500" },
          offsets: { from: 5000, to: 6500 },
          text: " Good day now.",
        },
      ],
    },
  ],
  [
    "its milliseconds alone",
    {
      transcription: [
        { offsets: { from: 1200, to: 3400 }, text: "Hello there." },
        { offsets: { from: 5000, to: 6500 }, text: "Good day now." },
      ],
    },
  ],
  [
    "Hugging Face",
    {
      text: "x",
      chunks: [
        { timestamp: [1.2, 3.4], text: " Hello there." },
        { timestamp: [5, 6.5], text: " Good day now." },
      ],
    },
  ],
  [
    "OpenAI",
    {
      task: "transcribe",
      segments: [
        { id: 0, start: 1.2, end: 3.4, text: " Hello there." },
        { id: 1, start: 5, end: 6.5, text: " Good day now." },
      ],
    },
  ],
  [
    "AssemblyAI, in milliseconds",
    {
      text: "x",
      utterances: [
        { start: 1200, end: 3400, text: "Hello there.", speaker: "A" },
        { start: 5000, end: 6500, text: "Good day now.", speaker: "B" },
      ],
    },
  ],
  [
    "Deepgram",
    {
      results: {
        channels: [
          {
            alternatives: [
              {
                transcript: "x",
                paragraphs: {
                  paragraphs: [
                    {
                      start: 1.2,
                      end: 6.5,
                      sentences: [
                        { text: "Hello there.", start: 1.2, end: 3.4 },
                        { text: "Good day now.", start: 5, end: 6.5 },
                      ],
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
    },
  ],
  [
    "Deepgram's utterances",
    {
      results: {
        utterances: [
          { start: 1.2, end: 3.4, transcript: "Hello there." },
          { start: 5, end: 6.5, transcript: "Good day now." },
        ],
      },
    },
  ],
])("JSON of %s is read", (_, value) => {
  expect(rowsOf(JSON.stringify(value))).toEqual(TWO);
});

test("cuts of LosslessCut are seconds; what is left open begins with the film, or has no end", () => {
  expect(rowsOf("90.188,94.02,Rain on the roof\n,140,open start\n150,,open end\n", "a.csv")).toEqual([
    [0, 140, "open start"],
    [90.188, 94.02, "Rain on the roof"],
    [150, expect.any(Number), "open end"],
  ]);
});

test("captions that roll give each phrase once, from its first word to its last", () => {
  const vtt = `WEBVTT

00:01.000 --> 00:02.000
 
is<00:01.300><c> anybody</c>

00:02.000 --> 00:02.010
is anybody
 

00:02.010 --> 00:09.000
is anybody
here<00:02.500><c> now</c>

00:09.000 --> 00:09.010
here now
 
`;
  expect(rowsOf(vtt, "a.vtt")).toEqual([
    [1, 2, "is anybody"],
    [2.01, 3.5, "here now"],
  ]);
  // Words that are said twice are no rolling.
  const said = "WEBVTT\n\n00:01.000 --> 00:02.000\nNo.\n\n00:03.000 --> 00:04.000\nNo.\n";
  expect(rowsOf(said, "a.vtt")).toHaveLength(2);
});

test("in and out may each stand on a line of their own above the words", () => {
  expect(rowsOf("00:00:03.500\n00:00:05.800\nCan everybody see?\n\n00:00:09.000\nOnly an in.\n", "a.txt")).toEqual([
    [3.5, 5.8, "Can everybody see?"],
    [9, expect.any(Number), "Only an in."],
  ]);
});
