// Reading captions against the fastest maintained parsers, on the same made texts in one run:
//   npm run tool -- bench:formats [cues, default 10000] [rounds, default 60]
import { parse as parsePlussub } from "@plussub/srt-vtt-parser";
import * as mediaCaptionsModule from "media-captions";
import { parseSync } from "subtitle";
import type { Cue } from "../../src/core/cue.ts";
import { frameRate } from "../../src/core/frame-rate.ts";
import { median } from "../../src/core/time-range.ts";
import {
  parseCmx3600,
  parseSubRip,
  parseWebVtt,
  writeCmx3600,
  writeSubRip,
  writeWebVtt,
} from "../../src/formats/index.ts";
import { print } from "../common/report.ts";

const cueCount = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 60);

// Its types are written for bundlers and export nothing here.
const { parseText } = mediaCaptionsModule as unknown as {
  parseText(text: string, options: { type: "vtt" | "srt" }): Promise<{ readonly cues: readonly unknown[] }>;
};

/** A parser of one text; gives the number of cues it found. */
interface Contestant {
  readonly name: string;
  parse(text: string): number | Promise<number>;
}

const SENTENCES = [
  "A woman sits at a desk by the window.",
  "She opens a letter, reads it twice & puts it down.",
  "Rain runs down the glass. A car's lights cross the ceiling, then the room is dark again.",
  "He nods.",
];

const cues: Cue[] = Array.from({ length: cueCount }, (_, index) => ({
  id: `cue-${index + 1}`,
  start: index * 4 + (index % 7) / 8,
  end: index * 4 + 2.5 + (index % 5) / 16,
  text: SENTENCES[index % SENTENCES.length] ?? "",
}));

const mediaCaptions = (type: "vtt" | "srt"): Contestant => ({
  name: "media-captions",
  parse: async (text) => (await parseText(text, { type })).cues.length,
});
const plussub: Contestant = { name: "@plussub/srt-vtt-parser", parse: (text) => parsePlussub(text).entries.length };
// It knows WebVTT only without identifiers and metadata, so it takes part in SubRip alone.
const subtitle: Contestant = {
  name: "subtitle",
  parse: (text) => parseSync(text).filter((node) => node.type === "cue").length,
};

const vtt = writeWebVtt(cues, { language: "en" });
// A file as captioning tools make it: settings, voices and markup on every cue.
const rich = vtt
  .replace(/( --> \S+)\n/g, "$1 line:85% align:center\n")
  .replace(/\n([A-Z][^\n]*)\n/g, "\n<v Narrator><i>$1</i></v>\n");

await race("WebVTT", vtt, { name: "ours", parse: (text) => parseWebVtt(text).cues.length }, [
  mediaCaptions("vtt"),
  plussub,
]);
await race("WebVTT with settings and markup", rich, { name: "ours", parse: (text) => parseWebVtt(text).cues.length }, [
  mediaCaptions("vtt"),
  plussub,
]);
await race("SubRip", writeSubRip(cues), { name: "ours", parse: (text) => parseSubRip(text).cues.length }, [
  mediaCaptions("srt"),
  plussub,
  subtitle,
]);
const grid = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };
const edl = writeCmx3600(cues, { grid });
await race("CMX 3600 (no other parser that reads comments is maintained)", edl, {
  name: "ours",
  parse: (text) => parseCmx3600(text, { grid, durationSeconds: cueCount * 4 }).cues.length,
});

/** Lets every contestant read a text, in turn, round after round, and prints the best and the middle time of each. */
async function race(title: string, text: string, ours: Contestant, others: readonly Contestant[] = []): Promise<void> {
  print(`${title}: ${cueCount} cues, ${(text.length / 1e6).toFixed(2)} million characters`);
  const times = new Map<Contestant, number[]>([ours, ...others].map((one) => [one, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [one, list] of times) {
      const begun = performance.now();
      const found = await one.parse(text);
      list.push(performance.now() - begun);
      if (found !== cueCount) throw new Error(`${one.name} found ${found} cues of ${cueCount}`);
    }
  }
  const own = median(times.get(ours) ?? []);
  for (const [one, list] of times) {
    const ratio = one === ours ? "" : `   ${(median(list) / own).toFixed(2)} times ours`;
    const best = Math.min(...list).toFixed(1);
    print(
      `  ${one.name.padEnd(26)} median ${median(list).toFixed(1).padStart(6)} ms, best ${best.padStart(6)} ms${ratio}`,
    );
  }
}
