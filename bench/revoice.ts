import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EspeakVoice } from "../src/service/voice/espeak.ts";
import { narrate } from "../src/service/voice/narrate.ts";
import { NarrationCache } from "../src/service/voice/narration-cache.ts";
import { Narrator } from "../src/service/voice/narrator.ts";

// Voices 200 lines, changes 3 of them, voices all again: how many are spoken, and how long each run takes.

const LINES = 200;
const CHANGED = [17, 88, 153];
const folder = await mkdtemp(join(tmpdir(), "aside-revoice-"));
const textOf = (index: number, isChanged: boolean) =>
  `Line ${index}: a woman sits at a desk by the window${isChanged ? " and looks up" : ""}, reading a long letter.`;

async function run(changed: readonly number[]): Promise<{ readonly spoken: number; readonly milliseconds: number }> {
  const narrator = new Narrator(new EspeakVoice(), new NarrationCache(folder), {
    language: "en-US",
    voice: "Achernar",
  });
  const texts = Array.from({ length: LINES }, (_, index) => ({
    cueId: `cue-${index}`,
    text: textOf(index, changed.includes(index)),
  }));
  const begun = performance.now();
  const lines = await narrate(narrator, texts);
  return { spoken: lines.filter(({ wasKept }) => !wasKept).length, milliseconds: performance.now() - begun };
}

const first = await run([]);
const second = await run(CHANGED);
await rm(folder, { recursive: true, force: true });
const ratio = second.milliseconds / first.milliseconds;
process.stdout.write(
  `all: ${first.spoken} spoken, ${first.milliseconds.toFixed(0)} ms; ${CHANGED.length} changed: ${second.spoken} spoken, ` +
    `${second.milliseconds.toFixed(0)} ms; ratio ${ratio.toFixed(3)}\n`,
);
process.exitCode = second.spoken === CHANGED.length ? 0 : 1;
