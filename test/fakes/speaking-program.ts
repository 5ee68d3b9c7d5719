// A program that speaks, for tests of the command voice: text on standard input, WAV on standard output or in a file.
// Arguments: --rate N, --output FILE, --mode hang|fail|noise|child|cut|silent:WORD (for lines with the word; none: all)
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { waveHeader } from "../../src/formats/wave/write-wave.ts";

const { values } = parseArgs({
  options: { rate: { type: "string" }, output: { type: "string" }, mode: { type: "string" }, text: { type: "string" } },
});
const words = values.text === undefined ? await text(process.stdin) : await readFile(values.text, "utf8");
if (values.mode === "hang") setInterval(() => undefined, 1_000);
else if (values.mode === "child") {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await writeFile(values.output ?? "", String(child.pid));
  setInterval(() => undefined, 1_000);
} else if (values.mode === "fail") {
  process.stderr.write("no such model\n");
  process.exitCode = 3;
} else if (values.mode === "noise") process.stdout.write("this is no sound");
else {
  const wave = spoiled(hummed(words.trim(), Number(values.rate ?? 1)), values.mode ?? "");
  if (values.output === undefined) process.stdout.write(wave);
  else await writeFile(values.output, wave);
}

/**
 * A WAV file that lasts as long as speech of the words would, a hum that swells with each syllable, with a quarter of a second
 * of silence at either end. Real speech would take many times as long to start.
 */
function hummed(said: string, rate: number): Buffer {
  const sampleRate = 22_050;
  const silence = Math.round(sampleRate / 4);
  const count = Math.round((sampleRate * (0.15 + 0.075 * said.length)) / rate);
  const data = Buffer.alloc(2 * (count + 2 * silence));
  for (let at = 0; at < count; at++) {
    const seconds = at / sampleRate;
    const swell = 0.6 + 0.4 * Math.sin(2 * Math.PI * 4 * seconds);
    data.writeInt16LE(Math.round(12_000 * swell * Math.sin(2 * Math.PI * 180 * seconds)), 2 * (at + silence));
  }
  const format = { channels: 1, sampleRate, encoding: "integer", bits: 16, channelMask: 4 } as const;
  return Buffer.concat([waveHeader({ format, sampleCount: data.length / 2 }), data]);
}

/** The sound as a voice gives it that breaks off after a quarter, or is silent. */
function spoiled(wave: Buffer, mode: string): Buffer {
  const begins = wave.indexOf("data") + 8;
  const [kind, word = ""] = mode.split(":");
  if (kind === "silent" && words.includes(word)) return wave.fill(0, begins);
  if (kind !== "cut") return wave;
  const quarter = begins + 2 * Math.floor((wave.length - begins) / 8);
  wave.writeUInt32LE(quarter - begins, begins - 4);
  return wave.subarray(0, quarter);
}
